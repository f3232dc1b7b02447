package io.kairo.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.Deque;

import io.kairo.host.HostUser;

/**
 * A temporary directory, and what is to be closed before it is removed.
 */
final class Scratch implements AutoCloseable {

	/** The user that runs commands if this JVM runs as root. */
	static final HostUser NOBODY = new HostUser(65534, 65534);

	private final Path directory;

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	Scratch(Path parent) throws IOException {
		this.directory = Files.createTempDirectory(parent, "kairo-benchmarks-").toRealPath();
	}

	static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	Path directory() {
		return this.directory;
	}

	/**
	 * Creates a directory in it.
	 */
	Path directory(String name) throws IOException {
		return Files.createDirectories(this.directory.resolve(name));
	}

	/**
	 * Creates a directory in it that belongs to the user that runs commands.
	 */
	Path directoryOfCommands() throws IOException {
		Path owned = directory("commands");
		if (isRoot()) {
			for (Path parent : new Path[] { this.directory, this.directory.getParent() }) {
				Files.setPosixFilePermissions(parent, PosixFilePermissions.fromString("rwx--x--x"));
			}
			Files.setAttribute(owned, "unix:uid", NOBODY.uid());
		}
		return owned;
	}

	/**
	 * Creates a directory with small files in it, a hundred in a directory.
	 */
	Path tree(String name, int files) throws IOException {
		Path tree = directory(name);
		for (int i = 0; i < files; i++) {
			Path parent = tree.resolve("d" + (i / 1000)).resolve("e" + (i / 100));
			if (i % 100 == 0) {
				Files.createDirectories(parent);
			}
			Files.writeString(parent.resolve("File" + i + ".java"), "class File" + i + " {}\n");
		}
		return tree;
	}

	/**
	 * Closes something before the directory is removed.
	 */
	<T extends AutoCloseable> T closing(T resource) {
		this.opened.push(resource);
		return resource;
	}

	@Override
	public void close() throws Exception {
		while (!this.opened.isEmpty()) {
			this.opened.pop().close();
		}
		Commands.countLines("rm", "-rf", this.directory.toString());
	}

}

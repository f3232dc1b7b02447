package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.sandbox.support.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM leaves files for bubblewrap: those that all commands share, and a
 * directory for each. Where commands run as another user it can be passed through, but
 * not listed. Safe for use by several threads.
 */
final class Exchange {

	/** Where commands have their home directory. */
	static final String HOME = "/home/sandbox";

	private final PrivateDirectory directory;

	private final @Nullable RunAs runAs;

	private final byte[] filter;

	Exchange(PrivateDirectory directory, @Nullable RunAs runAs, byte[] filter) {
		this.directory = directory;
		this.runAs = runAs;
		this.filter = filter;
	}

	/**
	 * Returns the directory that holds all of it, which no command may see.
	 */
	Path path() throws IOException {
		Path path = this.directory.path();
		if (this.runAs != null) {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
		}
		return path;
	}

	/**
	 * Returns a file with the system call filter, writing it if somebody has removed it.
	 */
	Path filter() throws IOException {
		Path file = path().resolve("filter");
		if (!Files.exists(file)) {
			Path draft = newPath("filter");
			Files.write(draft, this.filter);
			Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("r--r--r--"));
			Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
		}
		return file;
	}

	/**
	 * Returns the users that commands know.
	 */
	String users() throws IOException {
		return "root:x:0:0:root:/:/bin/false\n" + "sandbox:x:" + user() + ":sandbox:" + HOME + ":/bin/sh\n";
	}

	/**
	 * Returns the groups that commands know.
	 */
	String groups() throws IOException {
		return "root:x:0:\nsandbox:x:" + user().substring(user().indexOf(':') + 1) + ":\n";
	}

	/**
	 * Returns a path for something that commands share, and that was not there before.
	 */
	Path newPath(String name) throws IOException {
		path();
		return this.directory.newPath(name);
	}

	/**
	 * Makes the directory of one command.
	 */
	CommandFiles newCommand() throws IOException {
		Path created = Files.createDirectory(newPath("command"),
				PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
		CommandFiles files = new CommandFiles(created);
		Files.createFile(files.report());
		if (this.runAs != null) {
			for (Path path : new Path[] { created, files.report() }) {
				Files.setAttribute(path, "unix:uid", this.runAs.uid());
				Files.setAttribute(path, "unix:gid", this.runAs.gid());
			}
		}
		return files;
	}

	private String user() throws IOException {
		if (this.runAs != null) {
			return this.runAs.toString();
		}
		Path own = this.directory.path();
		return Files.getAttribute(own, "unix:uid") + ":" + Files.getAttribute(own, "unix:gid");
	}

	/**
	 * Returns the number of the user of this JVM.
	 */
	static int ownUser() {
		try {
			return (Integer) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
		}
		catch (IOException ex) {
			throw new UncheckedIOException("There is no /proc", ex);
		}
	}

}

package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

import io.kairo.sandbox.support.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM leaves files for bubblewrap: those that all commands share, and a
 * directory for each. Where commands run as another user it can be passed through, but
 * not listed. It is in memory if there is room: a journaling file system takes longer for
 * the few files of a command than bubblewrap for its mounts. Safe for use by several
 * threads.
 */
final class Exchange {

	/** Where commands have their home directory. */
	static final String HOME = "/home/sandbox";

	/**
	 * Somewhere that every user gets to, with a path that is short enough for a socket.
	 */
	private static final Path MEMORY = Path.of("/dev/shm");

	/** The copy of {@code /etc} takes two, and another two when it is made anew. */
	private static final long LEAST_BYTES = 32L << 20;

	private static final FileAttribute<Set<PosixFilePermission>> FOR_ITS_OWNER = PosixFilePermissions
		.asFileAttribute(PosixFilePermissions.fromString("rwx------"));

	private final PrivateDirectory directory;

	private final @Nullable RunAs runAs;

	private final byte[] filter;

	private @Nullable Path opened;

	Exchange(PrivateDirectory directory, @Nullable RunAs runAs, byte[] filter) {
		this.directory = directory;
		this.runAs = runAs;
		this.filter = filter;
	}

	/**
	 * Returns where to make the directory.
	 * @return null for the directory for temporary files
	 */
	static @Nullable Path place() {
		try {
			FileStore store = Files.getFileStore(MEMORY);
			boolean fit = store.type().equals("tmpfs") && store.getUsableSpace() >= LEAST_BYTES;
			return (fit && Files.isWritable(MEMORY)) ? MEMORY : null;
		}
		catch (IOException ex) {
			return null;
		}
	}

	/**
	 * Returns the directory that holds all of it, which no command may see.
	 */
	synchronized Path path() throws IOException {
		Path path = this.directory.path();
		if (this.runAs != null && !path.equals(this.opened)) {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
			this.opened = path;
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
	 * Makes the directory of one command, which belongs to the user of commands.
	 */
	CommandFiles newCommand() throws IOException {
		Path created = Files.createDirectory(newPath("command"), FOR_ITS_OWNER);
		if (this.runAs != null) {
			Files.setAttribute(created, "unix:uid", this.runAs.uid());
		}
		return new CommandFiles(created);
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

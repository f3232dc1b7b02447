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
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.sandbox.support.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Where the JVM leaves files for bubblewrap: those that all commands share, and a
 * directory for each. Where commands run as another user it can be passed through, but
 * not listed. It is in memory if there is room: a journaling file system takes longer for
 * the few files of a command than bubblewrap for its mounts. Safe for use by several
 * threads.
 */
final class ControlDirectory {

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

	private final PrivateDirectory reports;

	private final @Nullable RunAs runAs;

	private final byte[] filter;

	private final Set<Path> opened = ConcurrentHashMap.newKeySet();

	/**
	 * Creates it.
	 * @param directory where files are that commands do not see
	 * @param reports where those are that commands write to, without a bound: this must
	 * not be in memory
	 */
	ControlDirectory(PrivateDirectory directory, PrivateDirectory reports, @Nullable RunAs runAs, byte[] filter) {
		this.directory = directory;
		this.reports = reports;
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
	 * Returns the directories that hold all of it, which no command may see.
	 */
	List<Path> paths() throws IOException {
		return List.of(open(this.directory), open(this.reports));
	}

	private Path open(PrivateDirectory directory) throws IOException {
		Path path = directory.path();
		if (this.runAs != null && this.opened.add(path)) {
			Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx--x--x"));
		}
		return path;
	}

	/**
	 * Returns a file with the system call filter, writing it if somebody has removed it.
	 */
	Path filter() throws IOException {
		Path file = open(this.directory).resolve("filter");
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
		open(this.directory);
		return this.directory.newPath(name);
	}

	/**
	 * Makes the files of one command, which belong to the user of commands.
	 */
	CommandFiles newCommand() throws IOException {
		open(this.reports);
		CommandFiles files = new CommandFiles(newPath("command"), this.reports.newPath("report"));
		try {
			handOver(Files.createFile(files.report(), FOR_ITS_OWNER));
			handOver(Files.createDirectory(files.directory(), FOR_ITS_OWNER));
			return files;
		}
		catch (IOException ex) {
			files.close();
			throw ex;
		}
	}

	private void handOver(Path path) throws IOException {
		if (this.runAs != null) {
			Files.setAttribute(path, "unix:uid", this.runAs.uid());
		}
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

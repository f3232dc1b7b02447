package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.host.HostUser;
import io.kairo.host.OwnerOnly;
import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the files that the JVM passes to bubblewrap: files that all commands
 * share, and a directory for each command. If commands run as another user, that user can
 * pass through the directory, but not list it. It is in memory if there is room, since on
 * a journaling file system the few files of a command take longer than the mounts. Safe
 * for use by several threads.
 */
final class ControlDirectory {

	/** The home directory of commands. */
	static final String HOME = "/home/sandbox";

	/**
	 * Accessible to every user, with a path that is short enough for a socket.
	 */
	private static final Path MEMORY = Path.of("/dev/shm");

	/** The copy of {@code /etc} takes 2 MiB, and another 2 MiB when it is renewed. */
	private static final long LEAST_BYTES = 32L << 20;

	private final PrivateDirectory directory;

	private final PrivateDirectory reports;

	private final @Nullable HostUser runAs;

	private final byte[] filter;

	private final Set<Path> opened = ConcurrentHashMap.newKeySet();

	/**
	 * Creates the control directory.
	 * @param directory the directory of files that commands do not see
	 * @param reports the directory of files that commands can write to without a limit;
	 * must not be in memory
	 */
	ControlDirectory(PrivateDirectory directory, PrivateDirectory reports, @Nullable HostUser runAs, byte[] filter) {
		this.directory = directory;
		this.reports = reports;
		this.runAs = runAs;
		this.filter = filter;
	}

	/**
	 * Returns the parent for the directory.
	 * @return a directory in memory, or null for the directory for temporary files
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
	 * Returns the directories to hide from commands.
	 */
	List<Path> paths() throws IOException {
		return List.of(open(this.directory), open(this.reports));
	}

	private Path open(PrivateDirectory directory) throws IOException {
		Path path = directory.path();
		if (this.runAs != null && this.opened.add(path)) {
			HostUser.letPass(path);
		}
		return path;
	}

	/**
	 * Returns the file with the system call filter. It is written again if it was
	 * removed.
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
	 * Returns the content of {@code /etc/passwd} in the sandbox.
	 */
	String users() throws IOException {
		return "root:x:0:0:root:/:/bin/false\n" + "sandbox:x:" + user() + ":sandbox:" + HOME + ":/bin/sh\n";
	}

	/**
	 * Returns the content of {@code /etc/group} in the sandbox.
	 */
	String groups() throws IOException {
		return "root:x:0:\nsandbox:x:" + user().substring(user().indexOf(':') + 1) + ":\n";
	}

	/**
	 * Returns an unused path for a file or directory that commands share.
	 */
	Path newPath(String name) throws IOException {
		open(this.directory);
		return this.directory.newPath(name);
	}

	/**
	 * Creates an empty directory that the user that commands run as owns.
	 */
	Path newDirectory(String name) throws IOException {
		Path directory = newPath(name);
		handOver(Files.createDirectory(directory, OwnerOnly.directory(directory)));
		return directory;
	}

	/**
	 * Creates the files of one command. The user that commands run as owns the report,
	 * and can pass through the directory of the other files, but not change it: the JVM
	 * opens files in there.
	 */
	ControlFiles newFiles() throws IOException {
		open(this.reports);
		ControlFiles files = new ControlFiles(newPath("command"), this.reports.newPath("report"));
		try {
			handOver(Files.createFile(files.report(), OwnerOnly.file(files.report())));
			Files.createDirectory(files.directory(), OwnerOnly.directory(files.directory()));
			if (this.runAs != null) {
				HostUser.letPass(files.directory());
			}
			return files;
		}
		catch (IOException ex) {
			files.close();
			throw ex;
		}
	}

	private void handOver(Path path) throws IOException {
		if (this.runAs != null) {
			this.runAs.own(path);
		}
	}

	private String user() throws IOException {
		if (this.runAs != null) {
			return this.runAs.toString();
		}
		Path own = this.directory.path();
		return Files.getAttribute(own, "unix:uid") + ":" + Files.getAttribute(own, "unix:gid");
	}

}

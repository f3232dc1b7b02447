package io.kairo.tools.output;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;

/**
 * The directory of one store. Whoever has it holds a lock in it, which the system takes
 * back when a JVM dies in whatever way; so the directories of dead ones can be told from
 * those of others and are removed. Safe for use by several threads.
 */
final class OutputDirectory {

	private static final Logger logger = System.getLogger(OutputDirectory.class.getName());

	private static final String PREFIX = "kairo-output-";

	private static final String LOCK = "lock";

	private final Path path;

	private final FileChannel lock;

	private OutputDirectory(Path path, FileChannel lock) {
		this.path = path;
		this.lock = lock;
	}

	/**
	 * Makes a directory that only the user of the JVM may enter, and removes those that
	 * dead JVMs of this user have left beside it.
	 */
	static OutputDirectory create(Path parent) throws IOException {
		Path path = Files.createTempDirectory(parent, PREFIX + jvm()); // 0700
		boolean taken = false;
		try {
			FileChannel channel = FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE_NEW,
					StandardOpenOption.WRITE);
			if (channel.tryLock() == null) {
				channel.close();
				throw new IOException("Another process has taken the new directory of outputs");
			}
			taken = true;
			removeLeftovers(parent, path);
			return new OutputDirectory(path, channel);
		}
		finally {
			if (!taken) {
				removeAll(path); // without a lock nobody would know whose it is
			}
		}
	}

	Path newFile() throws IOException {
		return Files.createTempFile(this.path, "", ".txt"); // 0600
	}

	/**
	 * Removes the directory and all that is in it.
	 */
	void remove() {
		removeAll(this.path);
		try {
			this.lock.close();
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The lock of a directory of outputs could not be closed", ex);
		}
	}

	/**
	 * Names this JVM, also among those that had its number before, as the first process
	 * of every container has. To open a lock of this JVM once more and close it would
	 * give it up.
	 */
	private static String jvm() {
		ProcessHandle process = ProcessHandle.current();
		return process.pid() + "-" + process.info().startInstant().map(Instant::toEpochMilli).orElse(0L) + "-";
	}

	private static void removeLeftovers(Path parent, Path own) {
		String ownJvm = PREFIX + jvm();
		try (DirectoryStream<Path> siblings = Files.newDirectoryStream(parent, PREFIX + "*")) {
			for (Path sibling : siblings) {
				if (!String.valueOf(sibling.getFileName()).startsWith(ownJvm)
						&& Files.isDirectory(sibling, LinkOption.NOFOLLOW_LINKS)
						&& Files.getOwner(sibling).equals(Files.getOwner(own))) {
					removeIfDead(sibling);
				}
			}
		}
		catch (IOException | RuntimeException ex) {
			logger.log(Level.DEBUG, "Old directories of outputs could not be looked for", ex);
		}
	}

	private static void removeIfDead(Path directory) {
		try (FileChannel channel = FileChannel.open(directory.resolve(LOCK), StandardOpenOption.WRITE,
				LinkOption.NOFOLLOW_LINKS); FileLock lock = channel.tryLock()) {
			if (lock != null) {
				removeAll(directory);
			}
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "An old directory of outputs could not be removed", ex);
		}
	}

	private static void removeAll(Path directory) {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
			files.forEach(OutputDirectory::remove); // also those of commands that still
													// run
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A directory of outputs could not be read", ex);
		}
		remove(directory);
	}

	/**
	 * Removes a file; what is left is private, and no reason to fail a call.
	 */
	static void remove(Path path) {
		try {
			Files.deleteIfExists(path);
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "An output could not be removed", ex);
		}
	}

}

package io.kairo.workspace.ephemeral;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

import io.kairo.workspace.local.ProcessIdentity;

/**
 * Says that directories belong to a process that lives: a file that is locked as long as
 * it does, and whose name those of the directories begin with. The operating system takes
 * the lock from a process that ends, however it ends, so that a later process with the
 * same number is not taken for it.
 */
final class Claim implements Closeable {

	/** What the name of the file ends with. */
	static final String SUFFIX = ".claim";

	private final Path file;

	private final RandomAccessFile opened;

	private final FileLock lock;

	private Claim(Path file, RandomAccessFile opened, FileLock lock) {
		this.file = file;
		this.opened = opened;
		this.lock = lock;
	}

	/**
	 * Makes a claim in a directory.
	 */
	static Claim make(Path directory, ProcessIdentity process) throws IOException {
		while (true) {
			Path file = directory.resolve(process.text() + UUID.randomUUID() + SUFFIX);
			RandomAccessFile opened = new RandomAccessFile(file.toFile(), "rw");
			try {
				FileLock lock = opened.getChannel().tryLock();
				if (lock != null && Files.exists(file)) {
					return new Claim(file, opened, lock);
				}
			}
			catch (IOException ex) {
				opened.close();
				Files.deleteIfExists(file);
				throw ex;
			}
			opened.close(); // a sweep took it for one that was left behind
		}
	}

	/**
	 * Returns a path for a new directory.
	 */
	Path newDirectory(String id) {
		String name = this.file.getFileName().toString();
		return this.file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()) + "." + id);
	}

	/**
	 * Returns whether the file is there and locked.
	 */
	boolean holds() {
		return this.lock.isValid() && Files.exists(this.file);
	}

	/**
	 * Gives the claim up.
	 * @param nothingLeft whether the file can go, as no directory needs it any more
	 */
	void end(boolean nothingLeft) throws IOException {
		if (nothingLeft) {
			Files.deleteIfExists(this.file);
		}
		close();
	}

	@Override
	public void close() throws IOException {
		this.opened.close();
	}

}

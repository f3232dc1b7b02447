package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * A lock on a store: at any time one thread of one process on this machine changes it.
 * The lock file stays open, since closing it would release the locks of all providers in
 * this process.
 */
final class StoreLock implements AutoCloseable {

	private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

	private final Path file;

	private final ReentrantLock lock = new ReentrantLock(true);

	/** Guarded by the lock. */
	private @Nullable FileChannel channel;

	StoreLock(Path file) {
		this.file = file;
	}

	/**
	 * Acquires the lock, waiting until the deadline.
	 * @return the acquired lock, released by closing it
	 * @throws IOException if the deadline passes, or the thread is interrupted
	 */
	Hold hold(Deadline deadline) throws IOException {
		boolean locked = false;
		try {
			locked = this.lock.tryLock(Math.max(0, deadline.nanosLeft()), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (!locked) {
			throw new IOException("another fetch from the same remote is not over yet");
		}
		try {
			return new Hold(this.lock, lockFile(deadline));
		}
		catch (IOException | RuntimeException ex) {
			this.lock.unlock();
			throw ex;
		}
	}

	/**
	 * Acquires the lock if it is free.
	 * @return the acquired lock, released by closing it; null if it is not free
	 */
	@Nullable Hold tryHold() throws IOException {
		if (!this.lock.tryLock()) {
			return null;
		}
		FileLock fileLock = null;
		try {
			fileLock = tryLock(open());
			return (fileLock != null) ? new Hold(this.lock, fileLock) : null;
		}
		finally {
			if (fileLock == null) {
				this.lock.unlock();
			}
		}
	}

	private FileChannel open() throws IOException {
		FileChannel open = this.channel;
		if (open == null) {
			open = FileChannel.open(this.file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
			this.channel = open;
		}
		return open;
	}

	private FileLock lockFile(Deadline deadline) throws IOException {
		FileChannel open = open();
		while (true) {
			FileLock fileLock = tryLock(open);
			if (fileLock != null) {
				return fileLock;
			}
			if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
				throw new IOException("another process fetches from the same remote and is not over yet");
			}
			LockSupport.parkNanos(PAUSE_NANOS);
		}
	}

	private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
		try {
			return channel.tryLock();
		}
		catch (OverlappingFileLockException ex) {
			return null; // held by another provider of this process
		}
	}

	@Override
	public void close() throws IOException {
		this.lock.lock();
		try {
			if (this.channel != null) {
				this.channel.close();
				this.channel = null;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * An acquired lock.
	 *
	 * @param lock the lock between the threads of a provider
	 * @param file the lock between processes
	 */
	record Hold(ReentrantLock lock, FileLock file) implements AutoCloseable {

		@Override
		public void close() throws IOException {
			try {
				this.file.release();
			}
			finally {
				this.lock.unlock();
			}
		}

	}

}

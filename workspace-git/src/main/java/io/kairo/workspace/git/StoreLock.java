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
 * Lets one at a time change a store: one thread of this provider, and one process of this
 * machine. The file stays open, since closing it would give up the lock of every provider
 * of this process.
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
	 * Waits for the store.
	 * @return what to close to let others in
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
	 * Takes the store if nobody has it.
	 * @return what to close to let others in, null if somebody has it
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
	 * A store that nobody else changes.
	 *
	 * @param lock of the threads
	 * @param file of the processes
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

package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * Locks paths against changes by other threads, and by other processes with the same
 * state directory. Between processes, a path is a byte range of a lock file. The file
 * stays open: closing it would release the locks of other factories of this process. Safe
 * for use by several threads.
 */
final class PathLocks {

	private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

	private static final long MAX_PAUSE = TimeUnit.MILLISECONDS.toNanos(4);

	private final ConcurrentMap<Long, Users> locks = new ConcurrentHashMap<>();

	private final @Nullable StateDirectory state;

	private @Nullable FileChannel file;

	PathLocks(@Nullable StateDirectory state) {
		this.state = state;
	}

	/**
	 * Locks paths, always in the same order.
	 * @param paths paths without links
	 * @return the locks, to be closed by the same thread
	 * @throws IOException if they are not free within a minute, or the thread is
	 * interrupted
	 */
	Hold acquire(Collection<Path> paths) throws IOException {
		TreeSet<Long> keys = new TreeSet<>();
		paths.forEach((path) -> keys.add(key(path)));
		Hold hold = new Hold();
		try {
			long deadline = System.nanoTime() + PATIENCE;
			for (Long key : keys) {
				hold.lock(key, deadline);
			}
			if (this.state != null) {
				for (Long key : keys) {
					hold.files.push(lockFile(open(this.state), key, deadline));
				}
			}
			return hold;
		}
		catch (IOException | RuntimeException ex) {
			hold.close();
			throw ex;
		}
	}

	private synchronized FileChannel open(StateDirectory state) throws IOException {
		FileChannel open = this.file;
		if (open == null) {
			Path path = state.file("locks");
			open = FileChannel.open(path, Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ,
					StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS), OwnerOnly.file(path));
			this.file = open;
		}
		return open;
	}

	/**
	 * Polls the lock. Waiting in the operating system would treat the threads of a
	 * process as one and report deadlocks that do not exist.
	 */
	private static FileLock lockFile(FileChannel file, long position, long deadline) throws IOException {
		long pause = TimeUnit.MICROSECONDS.toNanos(50);
		while (true) {
			FileLock lock = tryLock(file, position);
			if (lock != null) {
				return lock;
			}
			if (Thread.currentThread().isInterrupted()) {
				throw new IOException("the thread was interrupted");
			}
			if (System.nanoTime() > deadline) {
				throw new IOException("another process is changing it");
			}
			LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(pause / 2, pause));
			pause = Math.min(2 * pause, MAX_PAUSE);
		}
	}

	private static @Nullable FileLock tryLock(FileChannel file, long position) throws IOException {
		try {
			return file.tryLock(position, 1, false);
		}
		catch (OverlappingFileLockException ex) {
			return null; // held by another factory of this process
		}
	}

	private static long key(Path path) {
		byte[] folded = PortableName.foldFully(path.toString()).getBytes(StandardCharsets.UTF_8);
		return ByteBuffer.wrap(Sha256.digest().digest(folded)).getLong() >>> 2;
	}

	/**
	 * A lock and the number of threads that hold it or wait for it.
	 */
	private record Users(ReentrantLock lock, int count) {

		Users plus(int more) {
			return new Users(this.lock, this.count + more);
		}

	}

	/**
	 * Locked paths. To be closed by the thread that acquired them.
	 */
	final class Hold implements AutoCloseable {

		private final Deque<Long> keys = new ArrayDeque<>();

		private final Deque<FileLock> files = new ArrayDeque<>();

		private void lock(Long key, long deadline) throws IOException {
			Users users = PathLocks.this.locks.compute(key,
					(same, known) -> (known != null) ? known.plus(1) : new Users(new ReentrantLock(true), 1));
			boolean locked = false;
			try {
				locked = users.lock().tryLock(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (!locked) {
				leave(key);
				throw new IOException(Thread.currentThread().isInterrupted() ? "the thread was interrupted"
						: "another change of it is under way");
			}
			this.keys.push(key);
		}

		private void leave(Long key) {
			PathLocks.this.locks.computeIfPresent(key, (same, known) -> (known.count() > 1) ? known.plus(-1) : null);
		}

		@Override
		public void close() throws IOException {
			try {
				while (!this.files.isEmpty()) {
					this.files.pop().release();
				}
			}
			finally {
				while (!this.keys.isEmpty()) {
					Long key = this.keys.pop();
					Users users = PathLocks.this.locks.get(key);
					if (users != null) {
						users.lock().unlock();
					}
					leave(key);
				}
			}
		}

	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.SoftReference;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.OwnerOnly;

/**
 * What is known of a workspace of a tenant. Safe for use by several threads.
 */
final class TrackedWorkspace {

	private static final Logger logger = System.getLogger(TrackedWorkspace.class.getName());

	static final String CONTENTS = "contents";

	/** The resolution of the clock of file systems, with something to spare. */
	private static final long RESOLUTION = TimeUnit.MILLISECONDS.toNanos(12);

	/** The time after which a workspace that had too many entries is examined again. */
	private static final long AGAIN = TimeUnit.MINUTES.toNanos(5);

	private final Path home;

	private final CheckpointOptions options;

	private final Contents contents;

	private final SessionLogs sessions;

	/** Size of the files of steps. */
	private final AtomicLong stepBytes = new AtomicLong();

	private final Leases leases;

	private volatile long needed;

	private final ReentrantLock lock = new ReentrantLock();

	/** The commands that are recorded. */
	private final Set<CommandRecording> running = ConcurrentHashMap.newKeySet();

	/** The files of the steps of this JVM while commands run. */
	private final Set<Path> ownSteps = ConcurrentHashMap.newKeySet();

	/** Whether steps are being undone, guarded by the lock. */
	private boolean rewinding;

	/** Whether the steps of a JVM that was killed were completed, guarded by the lock. */
	private boolean recovered;

	/** Whether this object must not be used any more, guarded by the lock. */
	private boolean retired;

	private volatile List<Path> roots = List.of();

	/** It takes some 200 bytes for each entry, which others may need more. */
	private volatile SoftReference<Map<WorkspacePath, Node>> latest = new SoftReference<>(Map.of());

	private volatile long used = System.nanoTime();

	/** When the workspace was found to have too many entries. */
	private volatile long tooLarge = System.nanoTime() - AGAIN;

	private volatile long read = System.nanoTime() - RESOLUTION;

	TrackedWorkspace(Path home, CheckpointOptions options, Leases leases, Clock clock) throws IOException {
		this.home = OwnerOnly.createDirectory(home);
		this.sessions = new SessionLogs(home.resolve(SessionLogs.NAME));
		this.leases = leases;
		this.options = options;
		this.contents = new Contents(home.resolve(CONTENTS), options.maxBytes(), clock);
	}

	Path home() {
		return this.home;
	}

	CheckpointOptions options() {
		return this.options;
	}

	Contents contents() {
		return this.contents;
	}

	Leases leases() {
		return this.leases;
	}

	SessionLogs sessions() {
		return this.sessions;
	}

	AtomicLong stepBytes() {
		return this.stepBytes;
	}

	/**
	 * Counts what was kept earlier.
	 */
	void count() {
		try {
			alone(() -> {
				this.contents.count();
				long bytes = 0;
				for (Path session : sessions().directories()) {
					for (Path step : new StepLog(session).files()) {
						bytes += Files.size(step);
					}
				}
				this.stepBytes.set(bytes);
				return this;
			});
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "The size of what is kept is not known; it is counted again later", ex);
		}
	}

	/**
	 * Returns the size of all that is kept.
	 */
	long bytes() {
		return this.contents.bytes() + this.stepBytes.get();
	}

	/**
	 * Returns the size of what was left when the rest was last removed.
	 */
	long needed() {
		return this.needed;
	}

	void needed(long left) {
		this.needed = left;
	}

	Set<CommandRecording> running() {
		return this.running;
	}

	/**
	 * Remembers a step of this JVM, which is announced to the recordings of commands. To
	 * be called alone.
	 */
	void appended(Path step) {
		if (this.running.isEmpty()) {
			this.ownSteps.clear();
		}
		else {
			this.ownSteps.add(step);
		}
	}

	boolean isOwn(Path step) {
		return this.ownSteps.contains(step);
	}

	boolean isRecovered() {
		return this.recovered;
	}

	void recovered() {
		this.recovered = true;
	}

	/**
	 * Keeps the state from being forgotten.
	 * @param present the roots on the disk
	 */
	void use(List<Path> present) {
		this.used = System.nanoTime();
		this.leases.renew();
		this.roots = present;
	}

	/**
	 * Returns whether a root is in one of the other workspace, or the other way round.
	 */
	boolean overlaps(TrackedWorkspace other) {
		return this.roots.stream()
			.anyMatch((root) -> other.roots.stream().anyMatch((its) -> its.startsWith(root) || root.startsWith(its)));
	}

	/**
	 * Returns the last complete state that is known, empty if none is.
	 */
	Map<WorkspacePath, Node> latest() {
		this.used = System.nanoTime();
		return cached();
	}

	/**
	 * Returns the same, for what does not use the workspace.
	 */
	Map<WorkspacePath, Node> cached() {
		Map<WorkspacePath, Node> state = this.latest.get();
		return (state != null) ? state : Map.of();
	}

	void latest(TreeScan scan) {
		if (!scan.isIncomplete()) {
			this.latest = new SoftReference<>(scan.found());
		}
		else if (scan.found().size() > this.options.maxFiles()) {
			this.tooLarge = System.nanoTime();
		}
		if (scan.hasRead()) {
			this.read = System.nanoTime();
		}
	}

	void forgetLatest() {
		this.latest = new SoftReference<>(Map.of());
	}

	/**
	 * Returns whether the workspace was lately found to have too many entries, so that it
	 * is not examined before each command in vain.
	 */
	boolean isTooLarge() {
		return System.nanoTime() - this.tooLarge < AGAIN;
	}

	/**
	 * Waits until a change gives every file that was read another stamp.
	 */
	void awaitClock() {
		awaitClock(this.read);
	}

	/**
	 * Waits until a change gives a file another stamp than it had at a time.
	 * @param time the time as of {@link System#nanoTime()}
	 */
	static void awaitClock(long time) {
		long left = time + RESOLUTION - System.nanoTime();
		boolean interrupted = false;
		while (left > 0) {
			try {
				TimeUnit.NANOSECONDS.sleep(left);
			}
			catch (InterruptedException ex) {
				interrupted = true;
			}
			left = time + RESOLUTION - System.nanoTime();
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Returns whether the workspace has not been used for some time.
	 */
	boolean isIdle(long nanos) {
		return this.running.isEmpty() && System.nanoTime() - this.used > nanos;
	}

	/**
	 * Forgets everything, so that this object is not used any more. To be called alone.
	 */
	void retire() {
		this.retired = true;
		this.leases.release();
		forgetLatest();
	}

	/**
	 * Returns whether steps are being undone. To be called alone.
	 */
	boolean isRewinding() {
		return this.rewinding;
	}

	/**
	 * Performs an action alone that undoes steps, so that its changes are not recorded.
	 */
	<T> T rewind(Action<T> action) throws IOException {
		return alone(() -> {
			boolean before = this.rewinding;
			this.rewinding = true;
			try {
				return action.perform();
			}
			finally {
				this.rewinding = before;
			}
		});
	}

	/**
	 * Waits until a change in progress was announced.
	 */
	void awaitAnnouncement() {
		this.lock.lock();
		try {
			// what held the lock has announced its change
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Performs an action alone, in this and other processes. An interrupt does not end
	 * it, and stays set.
	 * @throws RetiredException if this object must not be used any more
	 */
	<T> T alone(Action<T> action) throws IOException {
		// it would close the files that are written
		boolean interrupted = Thread.interrupted();
		this.lock.lock();
		try {
			// closing another channel of the file would release the lock of this process
			if (this.lock.getHoldCount() > 1) {
				return action.perform();
			}
			if (this.retired) {
				throw new RetiredException();
			}
			// Another process may have removed it.
			OwnerOnly.createDirectories(this.home.resolve(CONTENTS));
			Path file = this.home.resolve("lock");
			while (true) {
				try (FileChannel channel = FileChannel.open(file,
						Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), OwnerOnly.file(file))) {
					if (lock(channel)) {
						return action.perform();
					}
				}
				interrupted |= Thread.interrupted();
			}
		}
		finally {
			this.lock.unlock();
			if (interrupted) {
				Thread.currentThread().interrupt();
			}
		}
	}

	/**
	 * Locks a file, until it is closed, that another store of this JVM may have locked.
	 * @return false if this thread was interrupted
	 */
	private static boolean lock(FileChannel channel) throws IOException {
		while (true) {
			try {
				channel.lock();
				return true;
			}
			catch (FileLockInterruptionException | ClosedByInterruptException ex) {
				return false;
			}
			catch (OverlappingFileLockException ex) {
				LockSupport.parkNanos(RESOLUTION / 10);
			}
		}
	}

	/**
	 * An action.
	 *
	 * @param <T> the type of its result
	 */
	@FunctionalInterface
	interface Action<T> {

		T perform() throws IOException;

	}

	/**
	 * Thrown if another object has taken the place of this one.
	 */
	static final class RetiredException extends IOException {

		private static final long serialVersionUID = 1L;

	}

}

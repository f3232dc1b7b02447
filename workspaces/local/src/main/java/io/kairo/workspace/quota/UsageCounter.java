package io.kairo.workspace.quota;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.workspace.local.path.PathGate;

/**
 * The usage below each root: counted by a walk and then updated with changes until the
 * count is too old. To be used under its lock.
 */
final class UsageCounter {

	/** Maximum age of a count that is only shown, as a multiple of the time it took. */
	private static final int PATIENCE = 20;

	/** Goes on at its pace when the clock of the machine is set. */
	static final InstantSource MONOTONIC = () -> Instant.EPOCH.plusNanos(System.nanoTime());

	private final ReentrantLock lock = new ReentrantLock();

	private final Duration recountAfter;

	private final InstantSource clock;

	/** By the location of the root, so that a trial counts apart. */
	private final Map<Path, Count> counts = new HashMap<>();

	UsageCounter(Duration recountAfter, InstantSource clock) {
		this.recountAfter = recountAfter;
		this.clock = clock;
	}

	ReentrantLock lock() {
		return this.lock;
	}

	/**
	 * Returns whether the usage of a root is known and recent.
	 */
	boolean knows(WorkspaceFiles store, Path root) {
		Count count = this.counts.get(store.location(root));
		return count != null && isYounger(count, this.recountAfter);
	}

	/**
	 * Returns the usage, counted anew if it is not known.
	 */
	WorkspaceResult<Usage> usage(WorkspaceFiles store, Path root) {
		Count count = this.counts.get(store.location(root));
		return (count != null && knows(store, root)) ? WorkspaceResult.ok(count.usage()) : count(store, root);
	}

	/**
	 * Returns a recent usage, whose age may be larger the longer a count takes.
	 */
	WorkspaceResult<Usage> recent(WorkspaceFiles store, Path root) {
		Count count = this.counts.get(store.location(root));
		return (count != null && isYounger(count, count.took().multipliedBy(PATIENCE)))
				? WorkspaceResult.ok(count.usage()) : count(store, root);
	}

	/**
	 * Returns whether the age of a count is below a maximum. The age of a count from
	 * before the clock was set back is not.
	 */
	private boolean isYounger(Count count, Duration maximum) {
		Duration age = Duration.between(count.time(), this.clock.instant());
		return !age.isNegative() && age.compareTo(maximum) < 0;
	}

	/** Counts the usage. */
	WorkspaceResult<Usage> count(WorkspaceFiles store, Path root) {
		LongAdder bytes = new LongAdder();
		LongAdder files = new LongAdder();
		LongAdder tooDeep = new LongAdder();
		Instant time = this.clock.instant();
		WorkspaceResult<WalkReport> walk = store.walk(new WorkspacePath(root, ""), new WorkspaceVisitor() {

			@Override
			public Next directory(WorkspacePath directory) {
				if (!PathGate.fits(directory)) {
					tooDeep.increment();
				}
				return Next.CONTINUE;
			}

			@Override
			public Next file(Entry file) {
				bytes.add(file.size());
				files.increment();
				return Next.CONTINUE;
			}

		});
		return walk.map((report) -> {
			Usage usage = new Usage(bytes.sum(), files.sum(), tooDeep.sum());
			// as those of trials that have ended
			this.counts.values()
				.removeIf((count) -> !isYounger(count, this.recountAfter)
						&& !isYounger(count, count.took().multipliedBy(PATIENCE)));
			this.counts.put(store.location(root), new Count(usage, time, Duration.between(time, this.clock.instant())));
			return usage;
		});
	}

	/**
	 * Adds the growth by a change.
	 */
	void add(WorkspaceFiles store, Path root, Usage growth) {
		this.counts.computeIfPresent(store.location(root),
				(key, count) -> new Count(count.usage().plus(growth), count.time(), count.took()));
	}

	/**
	 * The counted usage, with the changes since.
	 */
	private record Count(Usage usage, Instant time, Duration took) {

	}

}

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
import io.kairo.workspace.path.PathGate;

/**
 * What is in use below each root: counted by a walk, then kept up with changes for a
 * while. To be used under its lock.
 */
final class UsageLedger {

	/** How much longer a count is good for, where nothing depends on it, than it took. */
	private static final int PATIENCE = 20;

	private final ReentrantLock lock = new ReentrantLock();

	private final Duration recountAfter;

	private final InstantSource clock;

	private final Map<Path, Count> counts = new HashMap<>();

	UsageLedger(Duration recountAfter, InstantSource clock) {
		this.recountAfter = recountAfter;
		this.clock = clock;
	}

	ReentrantLock lock() {
		return this.lock;
	}

	/**
	 * Returns whether what is known of a root is recent enough.
	 */
	boolean knows(Path root) {
		Count count = this.counts.get(root);
		return count != null && this.clock.instant().isBefore(count.time().plus(this.recountAfter));
	}

	/**
	 * Returns what is in use, counting where it is not known.
	 */
	WorkspaceResult<Usage> usage(WorkspaceFiles store, Path root) {
		Count count = this.counts.get(root);
		return (count != null && knows(root)) ? WorkspaceResult.ok(count.usage()) : count(store, root);
	}

	/**
	 * Returns what was in use a short time ago, which is the longer the more there is to
	 * count.
	 */
	WorkspaceResult<Usage> recent(WorkspaceFiles store, Path root) {
		Count count = this.counts.get(root);
		return (count != null && this.clock.instant().isBefore(count.time().plus(count.took().multipliedBy(PATIENCE))))
				? WorkspaceResult.ok(count.usage()) : count(store, root);
	}

	/**
	 * Counts what is in use.
	 */
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
			this.counts.put(root, new Count(usage, time, Duration.between(time, this.clock.instant())));
			return usage;
		});
	}

	/**
	 * Keeps up with a change.
	 */
	void add(Path root, Usage growth) {
		this.counts.computeIfPresent(root,
				(key, count) -> new Count(count.usage().plus(growth), count.time(), count.took()));
	}

	/**
	 * What was in use when it was counted, and changes since.
	 */
	private record Count(Usage usage, Instant time, Duration took) {

	}

}

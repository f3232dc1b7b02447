package io.kairo.workspace.quota;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;

/**
 * What is in use below each root: counted by a walk, then kept up with changes for a
 * while. Not safe for use by several threads.
 */
final class UsageLedger {

	private final WorkspaceFiles files;

	private final Duration recountAfter;

	private final InstantSource clock;

	private final Map<Path, Count> counts = new HashMap<>();

	UsageLedger(WorkspaceFiles files, Duration recountAfter, InstantSource clock) {
		this.files = files;
		this.recountAfter = recountAfter;
		this.clock = clock;
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
	WorkspaceResult<Usage> usage(Path root) {
		Count count = this.counts.get(root);
		return (count != null && knows(root)) ? WorkspaceResult.ok(count.usage()) : count(root);
	}

	/**
	 * Counts what is in use.
	 */
	WorkspaceResult<Usage> count(Path root) {
		LongAdder bytes = new LongAdder();
		LongAdder files = new LongAdder();
		Instant time = this.clock.instant();
		WorkspaceResult<WalkReport> walk = this.files.walk(new WorkspacePath(root, ""), (file) -> {
			bytes.add(file.size());
			files.increment();
			return WorkspaceVisitor.Next.CONTINUE;
		});
		return walk.map((report) -> {
			Usage usage = new Usage(bytes.sum(), files.sum());
			this.counts.put(root, new Count(usage, time));
			return usage;
		});
	}

	/**
	 * Keeps up with a change.
	 */
	void add(Path root, Usage growth) {
		this.counts.computeIfPresent(root, (key, count) -> new Count(count.usage().plus(growth), count.time()));
	}

	/**
	 * What was in use when it was counted, and changes since.
	 */
	private record Count(Usage usage, Instant time) {

	}

}

package io.kairo.tools;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Locks for the files that the calls of one session change, so that edits requested
 * concurrently run one after the other instead of failing as outdated. Several files may
 * share a lock. Safe for use by several threads.
 */
final class FileTurns {

	private static final int LOCKS = 32;

	private final List<ReentrantLock> locks = IntStream.range(0, LOCKS).mapToObj((i) -> new ReentrantLock()).toList();

	/**
	 * Runs work while it holds the locks of files.
	 * @param <T> the type of the outcome
	 * @param paths the files that the work changes
	 * @param work the work
	 * @return the outcome
	 */
	<T> T inTurn(Collection<WorkspacePath> paths, Supplier<T> work) {
		// a fixed order avoids deadlocks
		int[] needed = paths.stream()
			.mapToInt((path) -> Math.floorMod(path.hashCode(), LOCKS))
			.sorted()
			.distinct()
			.toArray();
		int held = 0;
		try {
			for (; held < needed.length; held++) {
				this.locks.get(needed[held]).lock();
			}
			return work.get();
		}
		finally {
			while (held > 0) {
				this.locks.get(needed[--held]).unlock();
			}
		}
	}

}

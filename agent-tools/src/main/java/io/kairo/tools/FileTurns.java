package io.kairo.tools;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Lets the calls of one session that change the same file take turns, so that edits that
 * a model asks for at once happen one after the other instead of refusing each other.
 * Some files share a turn. Safe for use by several threads.
 */
final class FileTurns {

	private static final int LOCKS = 32;

	private final List<ReentrantLock> locks = IntStream.range(0, LOCKS).mapToObj((i) -> new ReentrantLock()).toList();

	/**
	 * Does a piece of work when it is its turn.
	 * @param <T> the type of the outcome
	 * @param paths the files that it changes
	 * @param work the work
	 * @return the outcome
	 */
	<T> T inTurn(Collection<WorkspacePath> paths, Supplier<T> work) {
		// always in the same order, so that nobody waits for each other
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

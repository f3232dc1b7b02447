package io.kairo.tools.session;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.PortableName;

/**
 * Locks for the files that the calls of one session change, so that edits requested
 * concurrently run one after the other instead of failing as outdated. Several files may
 * share a lock, and all spellings of a name do, whether or not the store treats them as
 * one file. Safe for use by several threads.
 */
public final class FileTurns {

	private static final int LOCKS = 32;

	/** Created when they are first needed, since most sessions need a few. */
	private final Map<Integer, ReentrantLock> locks = new ConcurrentHashMap<>(2);

	/**
	 * Creates the locks of a session.
	 */
	public FileTurns() {
	}

	/**
	 * Runs work while it holds the locks of files.
	 * @param <T> the type of the outcome
	 * @param paths the files that the work changes
	 * @param work the work
	 * @return the outcome
	 */
	public <T> T inTurn(Collection<WorkspacePath> paths, Supplier<T> work) {
		// a fixed order avoids deadlocks
		int[] needed = paths.stream()
			.mapToInt((path) -> Math.floorMod(PortableName.foldFully(path.toString()).hashCode(), LOCKS))
			.sorted()
			.distinct()
			.toArray();
		int held = 0;
		try {
			for (; held < needed.length; held++) {
				this.locks.computeIfAbsent(needed[held], (missing) -> new ReentrantLock()).lock();
			}
			return work.get();
		}
		finally {
			while (held > 0) {
				Objects.requireNonNull(this.locks.get(needed[--held])).unlock();
			}
		}
	}

}

package io.kairo.workspace.task;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

/**
 * Keeps which agents use which workspace, until an agent is removed: no other way makes
 * it wrong, since no agent changes its parent. What is not known, or has no workspace
 * yet, is never kept.
 * <p>
 * Bounded by two generations: when the young one is full it becomes the old one, and what
 * is asked for in the old one moves to the young. An entry takes about 150 bytes. Safe
 * for use by several threads.
 */
final class Assignments {

	private final int generation;

	private volatile Generations generations = new Generations(new ConcurrentHashMap<>());

	/**
	 * Creates an empty cache.
	 * @param generation how many entries make a generation; twice as many are kept at
	 * most, and a few more while threads add some at once
	 */
	Assignments(int generation) {
		this.generation = generation;
	}

	@Nullable String find(String tenantId, String agentId) {
		Key key = new Key(tenantId, agentId);
		Generations current = this.generations;
		String young = current.young.get(key);
		if (young != null) {
			return young;
		}
		String old = current.old.get(key);
		if (old != null) {
			add(current, key, old);
		}
		return old;
	}

	/**
	 * Begins to look agents up somewhere else.
	 * @return takes what is found there, and drops it if the cache was cleared meanwhile
	 */
	Found search() {
		Generations since = this.generations;
		return (tenantId, agentId, workspaceId) -> add(since, new Key(tenantId, agentId), workspaceId);
	}

	/**
	 * Forgets everything, also what is being looked up now.
	 */
	synchronized void clear() {
		this.generations = new Generations(new ConcurrentHashMap<>());
	}

	/**
	 * Adds to the generations that were there when the value was read: if they are not
	 * kept any more, neither is the value.
	 */
	private void add(Generations since, Key key, String workspaceId) {
		since.young.put(key, workspaceId);
		if (since.young.size() >= this.generation) {
			age(since);
		}
	}

	private synchronized void age(Generations full) {
		if (this.generations == full) {
			this.generations = new Generations(full.young);
		}
	}

	int size() {
		Generations current = this.generations;
		return current.young.size() + current.old.size();
	}

	/**
	 * Takes what one search finds.
	 */
	@FunctionalInterface
	interface Found {

		void add(String tenantId, String agentId, String workspaceId);

	}

	private record Key(String tenant, String agent) {
	}

	/**
	 * What is kept at one time. Compared by identity.
	 */
	private static final class Generations {

		private final ConcurrentMap<Key, String> young = new ConcurrentHashMap<>();

		private final ConcurrentMap<Key, String> old;

		Generations(ConcurrentMap<Key, String> old) {
			this.old = old;
		}

	}

}

package io.kairo.workspace.task;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

/**
 * A cache of the workspaces of agents. Only the removal of an agent invalidates it, as
 * agents never change their parents. Agents that are unknown or have no workspace are not
 * cached.
 * <p>
 * The size is bounded by two generations: when the young generation is full, it becomes
 * the old one. An entry of the old generation that is used moves to the young one. An
 * entry takes about 150 bytes. Safe for use by several threads.
 */
final class Assignments {

	private final int generation;

	private volatile Generations generations = new Generations(new ConcurrentHashMap<>());

	/**
	 * Creates an empty cache.
	 * @param generation number of entries of a generation; the cache holds at most twice
	 * as many, and a few more during concurrent additions
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
	 * Begins a search for agents elsewhere.
	 * @return receives the results, and drops them if the cache was cleared meanwhile
	 */
	Found search() {
		Generations since = this.generations;
		return (tenantId, agentId, workspaceId) -> add(since, new Key(tenantId, agentId), workspaceId);
	}

	/**
	 * Clears the cache. Results of running searches are dropped too.
	 */
	synchronized void clear() {
		this.generations = new Generations(new ConcurrentHashMap<>());
	}

	/**
	 * Adds a value to the generations current when it was read. If those were dropped
	 * meanwhile, so is the value.
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
	 * Receives the results of a search.
	 */
	@FunctionalInterface
	interface Found {

		void add(String tenantId, String agentId, String workspaceId);

	}

	private record Key(String tenant, String agent) {
	}

	/**
	 * The entries of the cache between two clearings. Compared by identity.
	 */
	private static final class Generations {

		private final ConcurrentMap<Key, String> young = new ConcurrentHashMap<>();

		private final ConcurrentMap<Key, String> old;

		Generations(ConcurrentMap<Key, String> old) {
			this.old = old;
		}

	}

}

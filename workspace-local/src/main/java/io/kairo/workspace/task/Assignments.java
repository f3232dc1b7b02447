package io.kairo.workspace.task;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

import org.jspecify.annotations.Nullable;

/**
 * Keeps which agents use which workspace. What is kept never becomes wrong, since no
 * agent changes its parent; what is not known, or has no workspace yet, is never kept.
 * <p>
 * Bounded by two generations: when the young one is full it becomes the old one, and what
 * is asked for in the old one moves to the young. An entry takes about 150 bytes. Safe
 * for use by several threads.
 */
final class Assignments {

	private final int generation;

	private volatile Generations generations = new Generations(new ConcurrentHashMap<>(), new ConcurrentHashMap<>());

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
		String young = current.young().get(key);
		if (young != null) {
			return young;
		}
		String old = current.old().get(key);
		if (old != null) {
			add(key, old);
		}
		return old;
	}

	void add(String tenantId, String agentId, String workspaceId) {
		add(new Key(tenantId, agentId), workspaceId);
	}

	private void add(Key key, String workspaceId) {
		if (this.generations.young().size() >= this.generation) {
			age();
		}
		this.generations.young().put(key, workspaceId);
	}

	private synchronized void age() {
		Generations current = this.generations;
		if (current.young().size() >= this.generation) {
			this.generations = new Generations(new ConcurrentHashMap<>(), current.young());
		}
	}

	int size() {
		Generations current = this.generations;
		return current.young().size() + current.old().size();
	}

	private record Key(String tenant, String agent) {
	}

	private record Generations(ConcurrentMap<Key, String> young, ConcurrentMap<Key, String> old) {
	}

}

package io.kairo.workspace.task;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * Remembers agents as long as it lives: for tests, and for applications that register
 * their agents anew after each start. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class InMemoryAgentRegistry implements AgentRegistry {

	private final ConcurrentMap<Key, AgentRecord> agents = new ConcurrentHashMap<>();

	private final AtomicLong removals = new AtomicLong();

	/**
	 * Creates a registry without agents.
	 */
	public InMemoryAgentRegistry() {
	}

	@Override
	public @Nullable AgentRecord find(String tenantId, String agentId) {
		return this.agents.get(new Key(tenantId, agentId));
	}

	@Override
	public AgentRecord add(String tenantId, AgentRecord agent) {
		AgentRecord known = this.agents.putIfAbsent(new Key(tenantId, agent.id()), agent);
		return (known != null) ? known : agent;
	}

	@Override
	public boolean remove(String tenantId, String agentId) {
		boolean removed = this.agents.remove(new Key(tenantId, agentId)) != null;
		if (removed) {
			this.removals.incrementAndGet();
		}
		return removed;
	}

	@Override
	public long removals() {
		return this.removals.get();
	}

	private record Key(String tenant, String agent) {
	}

}

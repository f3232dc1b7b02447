package io.kairo.workspace.task;

import java.time.Instant;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * A registry in memory, for tests and for applications that register their agents at each
 * start. Ids that differ only in case cannot be registered for the same tenant, as with
 * {@link FileAgentRegistry}. Safe for use by several threads.
 */
public final class InMemoryAgentRegistry implements AgentRegistry {

	private final ConcurrentMap<Key, AgentRecord> agents = new ConcurrentHashMap<>();

	private final ConcurrentMap<Key, TaskWorkspaceRecord> workspaces = new ConcurrentHashMap<>();

	private final AtomicLong removals = new AtomicLong();

	/**
	 * Creates a registry without agents.
	 */
	public InMemoryAgentRegistry() {
	}

	@Override
	public @Nullable AgentRecord find(String tenantId, String agentId) {
		AgentRecord found = this.agents.get(Key.of(tenantId, agentId));
		return (found != null && found.id().equals(agentId)) ? found : null;
	}

	@Override
	public AgentRecord add(String tenantId, AgentRecord agent) {
		AgentRecord known = this.agents.putIfAbsent(Key.of(tenantId, agent.id()), agent);
		if (known != null && !known.id().equals(agent.id())) {
			throw known.conflictWith(agent);
		}
		if (known == null && agent.assigned()) {
			this.workspaces.putIfAbsent(Key.of(tenantId, agent.id()),
					new TaskWorkspaceRecord(agent.id(), null, Instant.now(), false));
		}
		return (known != null) ? known : agent;
	}

	@Override
	public @Nullable TaskWorkspaceRecord workspace(String tenantId, String agentId) {
		TaskWorkspaceRecord found = this.workspaces.get(Key.of(tenantId, agentId));
		return (found != null && found.workspaceId().equals(agentId)) ? found : null;
	}

	@Override
	public TaskWorkspaceRecord assign(String tenantId, TaskWorkspaceRecord workspace) {
		TaskWorkspaceRecord assigned = this.workspaces.merge(Key.of(tenantId, workspace.workspaceId()), workspace,
				(known, given) -> (known.workspacePath() == null && known.workspaceId().equals(given.workspaceId()))
						? given : known);
		this.removals.incrementAndGet();
		return assigned;
	}

	@Override
	public boolean remove(String tenantId, String agentId) {
		AgentRecord found = find(tenantId, agentId);
		TaskWorkspaceRecord workspace = workspace(tenantId, agentId);
		boolean removed = found != null && this.agents.remove(Key.of(tenantId, agentId), found);
		if (workspace != null) {
			removed |= this.workspaces.remove(Key.of(tenantId, agentId), workspace);
		}
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

		static Key of(String tenantId, String agentId) {
			return new Key(tenantId, PortableName.fold(agentId));
		}

	}

}

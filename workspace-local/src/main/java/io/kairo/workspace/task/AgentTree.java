package io.kairo.workspace.task;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * The agents of an application by who made whom. A child of {@link AgentRecord#ROOT} has
 * a workspace of its own, whose id is that of the agent; whoever descends from it uses
 * the same. Tenants know nothing of each other's agents.
 * <p>
 * Which workspace an agent uses is looked up in the registry once, and kept for up to
 * 200,000 agents after that, in about 30 MB, until an agent is removed: by this tree it
 * is forgotten at once, by another one or another process within a second. An agent
 * without a workspace is looked up each time, so that what another process registers is
 * seen at once. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class AgentTree {

	private static final int GENERATION = 100_000;

	/** How soon it forgets what another tree has removed. */
	private static final Duration FORGETS = Duration.ofSeconds(1);

	private final AgentRegistry registry;

	private final Assignments assignments;

	private final LongSupplier nanoTime;

	/** When the registry was last asked whether agents were removed. */
	private volatile long asked;

	/** What it answered. */
	private volatile long removals;

	/**
	 * Creates a tree.
	 * @param registry remembers the agents
	 */
	public AgentTree(AgentRegistry registry) {
		this(registry, new Assignments(GENERATION), System::nanoTime);
	}

	AgentTree(AgentRegistry registry, Assignments assignments, LongSupplier nanoTime) {
		this.registry = Objects.requireNonNull(registry, "registry");
		this.assignments = assignments;
		this.nanoTime = nanoTime;
		this.asked = nanoTime.getAsLong() - FORGETS.toNanos();
	}

	/**
	 * Registers an agent of the application's only tenant.
	 * @param agentId the new agent
	 * @param parentId the agent that made it, {@link AgentRecord#ROOT} or
	 * {@link AgentRecord#USER}
	 * @return what is known of it from now on
	 * @throws WorkspacePathException as by
	 * {@link #register(TenantContext, String, String)}
	 */
	public AgentRecord register(String agentId, String parentId) {
		return register(TenantContext.SINGLE, agentId, parentId);
	}

	/**
	 * Registers an agent. A child of {@link AgentRecord#ROOT} is assigned a workspace by
	 * that; nothing is made on the disk. To register it again with the same parent
	 * changes nothing. The parent need not be registered yet.
	 * @param tenant whose agent it is
	 * @param agentId the new agent
	 * @param parentId the agent that made it, {@link AgentRecord#ROOT} or
	 * {@link AgentRecord#USER}
	 * @return what is known of it from now on
	 * @throws WorkspacePathException if an id cannot be one ({@code invalid_path}), or
	 * the agent is registered with another parent ({@code conflict})
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public AgentRecord register(TenantContext tenant, String agentId, String parentId) {
		AgentRecord agent = new AgentRecord(agentId, parentId);
		AgentRecord known = this.registry.add(tenant.tenantId(), agent);
		if (!known.equals(agent)) {
			throw new WorkspacePathException(WorkspaceErrorCode.CONFLICT,
					"The agent " + WorkspacePath.quote(agentId) + " is registered as a child of "
							+ WorkspacePath.quote(known.parentId()) + " and cannot become one of "
							+ WorkspacePath.quote(parentId) + ": give the new agent an id of its own");
		}
		return known;
	}

	/**
	 * Removes an agent. Its descendants stay, and have no workspace until an agent of
	 * this id is registered again, with whatever parent. Nothing is removed on the disk:
	 * the files of its workspace stay where they are, and a later agent of the same id
	 * and with a workspace of its own finds them. Workspaces that were acquired can be
	 * used until they are released.
	 * @param tenant whose agent it is
	 * @param agentId any text
	 * @return false if there is none
	 * @throws UnsupportedOperationException if the registry keeps agents for ever
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public boolean remove(TenantContext tenant, String agentId) {
		if (find(tenant, agentId) == null) {
			return false;
		}
		boolean removed = this.registry.remove(tenant.tenantId(), agentId);
		this.assignments.clear();
		return removed;
	}

	/**
	 * Finds an agent.
	 * @param tenant whose agent it is
	 * @param agentId any text
	 * @return what is known of it, null if nothing is
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public @Nullable AgentRecord find(TenantContext tenant, String agentId) {
		AgentRecord agent = AgentRecord.isReserved(agentId) ? null : this.registry.find(tenant.tenantId(), agentId);
		return (agent != null && agent.id().equals(agentId)) ? agent : null;
	}

	/**
	 * Returns the workspace of an agent: its own, or that of the nearest ancestor that
	 * has one.
	 * @param tenant whose agent it is
	 * @param agentId any text
	 * @return the id of the workspace, which is that of the agent it is assigned to
	 * @throws WorkspacePathException if there is none ({@code workspace_not_assigned}):
	 * the agent or one of its ancestors is not registered, descends from
	 * {@link AgentRecord#USER}, or from itself
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public String workspaceOf(TenantContext tenant, String agentId) {
		forgetRemoved();
		String known = this.assignments.find(tenant.tenantId(), agentId);
		return (known != null) ? known : search(tenant.tenantId(), agentId);
	}

	/**
	 * Forgets everything if an agent was removed elsewhere.
	 */
	private void forgetRemoved() {
		long now = this.nanoTime.getAsLong();
		if (now - this.asked >= FORGETS.toNanos()) {
			this.asked = now;
			long current = this.registry.removals();
			if (current != this.removals) {
				this.removals = current;
				this.assignments.clear();
			}
		}
	}

	private String search(String tenantId, String agentId) {
		Assignments.Found found = this.assignments.search();
		Set<String> way = new LinkedHashSet<>();
		String current = agentId;
		String workspace = null;
		while (workspace == null) {
			if (AgentRecord.isReserved(current)) {
				throw notAssigned(agentId, current.equals(agentId) ? "it is no agent" : "it descends from " + current);
			}
			if (!way.add(current)) {
				throw notAssigned(agentId, "the parents of " + WorkspacePath.quote(current) + " form a circle");
			}
			workspace = this.assignments.find(tenantId, current);
			if (workspace == null) {
				AgentRecord agent = this.registry.find(tenantId, current);
				if (agent == null || !agent.id().equals(current)) {
					throw notAssigned(agentId,
							(current.equals(agentId) ? "it" : "its ancestor " + WorkspacePath.quote(current))
									+ " is not registered");
				}
				workspace = agent.assigned() ? agent.id() : null;
				current = agent.parentId();
			}
		}
		for (String agent : way) {
			found.add(tenantId, agent, workspace);
		}
		return workspace;
	}

	private static WorkspacePathException notAssigned(String agentId, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
				"The agent " + WorkspacePath.quote(agentId) + " has no workspace, as " + reason
						+ ": an agent has one if it or an ancestor is registered as a child of root");
	}

}

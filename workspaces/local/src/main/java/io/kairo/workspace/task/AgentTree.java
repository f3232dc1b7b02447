package io.kairo.workspace.task;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.LongSupplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * The tree of the agents of an application. A child of {@link AgentRecord#ROOT} has a
 * workspace of its own with the id of the agent, and so has every agent that one is
 * assigned to; its descendants use the workspace of their nearest ancestor with one. The
 * agents of different tenants are separate.
 * <p>
 * The workspace of an agent is looked up in the registry once and then cached, for up to
 * 200,000 agents in about 30 MB, until an agent is removed or assigned a workspace. This
 * clears the cache of the tree that did it at once, of another tree or process within a
 * second. An agent without a workspace is looked up each time, so that registrations by
 * other processes take effect at once. Safe for use by several threads.
 */
public final class AgentTree {

	private static final int GENERATION = 100_000;

	/** Maximum delay until a removal by another tree clears the cache. */
	private static final Duration FORGETS = Duration.ofSeconds(1);

	private final AgentRegistry registry;

	private final Assignments assignments;

	private final LongSupplier nanoTime;

	/** The data directories of the providers in use. */
	private final Set<TaskDirectories> providers = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	/** Time of the last query for removals. */
	private volatile long asked;

	/** Result of the last query for removals. */
	private volatile long removals;

	/**
	 * Creates a tree.
	 * @param registry the registry of the agents
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
	 * @param agentId the id of the new agent
	 * @param parentId the agent that created it, {@link AgentRecord#ROOT} or
	 * {@link AgentRecord#USER}
	 * @return the registered record
	 * @throws WorkspacePathException as by
	 * {@link #register(TenantContext, String, String)}
	 */
	public AgentRecord register(String agentId, String parentId) {
		return register(TenantContext.SINGLE, agentId, parentId);
	}

	/**
	 * Registers an agent. A child of {@link AgentRecord#ROOT} is thereby assigned a
	 * workspace, whose directory is not created yet. Registering it again with the same
	 * parent has no effect. The parent need not be registered yet.
	 * @param tenant the tenant of the agent
	 * @param agentId the id of the new agent
	 * @param parentId the agent that created it, {@link AgentRecord#ROOT} or
	 * {@link AgentRecord#USER}
	 * @return the registered record
	 * @throws WorkspacePathException if an id is not valid ({@code invalid_path}), or the
	 * agent is registered with another parent ({@code conflict})
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
	 * Assigns a workspace to an agent of the application's only tenant.
	 * @param workspaceId the id of the agent and its workspace
	 * @param workspacePath the directory of the workspace, absolute
	 * @return the assigned workspace
	 * @throws WorkspacePathException as by
	 * {@link #assignWorkspace(TenantContext, String, Path)}
	 */
	public TaskWorkspaceRecord assignWorkspace(String workspaceId, Path workspacePath) {
		return assignWorkspace(TenantContext.SINGLE, workspaceId, workspacePath);
	}

	/**
	 * Assigns a workspace to an agent with any parent. The agent need not be registered,
	 * and the directory is not created yet. Assigning the same directory again has no
	 * effect. The next workspace that the agent or a descendant acquires is the assigned
	 * one, unless a nearer ancestor has another, also while the previous one is in use:
	 * acquired workspaces keep their directory until they are released.
	 * @param tenant the tenant of the agent
	 * @param workspaceId the id of the agent and its workspace
	 * @param workspacePath the directory of the workspace, absolute and below the data
	 * directory of a provider of this tree, with neither a link nor a file on the way;
	 * without a provider it is checked when the workspace is acquired
	 * @return the assigned workspace
	 * @throws WorkspacePathException if the id or the path is not valid
	 * ({@code invalid_path}), another directory is assigned to the agent
	 * ({@code conflict}), or the tenant has no data directory
	 * ({@code workspace_not_assigned})
	 * @throws UnsupportedOperationException if the registry does not support assignments
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public TaskWorkspaceRecord assignWorkspace(TenantContext tenant, String workspaceId, Path workspacePath) {
		TaskWorkspaceRecord workspace = new TaskWorkspaceRecord(workspaceId, workspacePath, Instant.now(), false);
		requireUsable(tenant.tenantId(), workspaceId, workspacePath);
		TaskWorkspaceRecord known = this.registry.assign(tenant.tenantId(), workspace);
		this.assignments.clear();
		if (!known.isSameAs(workspace)) {
			throw new WorkspacePathException(WorkspaceErrorCode.CONFLICT,
					"The agent " + WorkspacePath.quote(known.workspaceId())
							+ " is assigned another directory, and cannot have " + WorkspacePath.quote(workspaceId)
							+ " in " + WorkspacePath.quote(workspacePath.toString())
							+ ": remove the agent first, or give another one");
		}
		return known;
	}

	/**
	 * Accepts directories in the data directories of a provider.
	 */
	void confine(TaskDirectories provider) {
		this.providers.add(provider);
	}

	/**
	 * Checks a directory with the providers. One of them must accept it.
	 */
	private void requireUsable(String tenantId, String agentId, Path directory) {
		WorkspacePathException refusal = null;
		for (TaskDirectories provider : this.providers.toArray(TaskDirectories[]::new)) {
			try {
				provider.require(tenantId, agentId, directory);
				return;
			}
			catch (WorkspacePathException ex) {
				refusal = ex;
			}
		}
		if (refusal != null) {
			throw refusal;
		}
	}

	/**
	 * Finds the workspace that an agent has itself.
	 * @param tenant the tenant of the agent
	 * @param agentId any text
	 * @return the record, null if the agent has no workspace of its own
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public @Nullable TaskWorkspaceRecord workspace(TenantContext tenant, String agentId) {
		if (AgentRecord.isReserved(agentId)) {
			return null;
		}
		TaskWorkspaceRecord known = this.registry.workspace(tenant.tenantId(), agentId);
		if (known != null) {
			return known;
		}
		AgentRecord agent = find(tenant, agentId);
		return (agent != null && agent.assigned()) ? new TaskWorkspaceRecord(agentId, null, null, false) : null;
	}

	/**
	 * Removes an agent and its assignment. Its descendants stay registered, and have no
	 * workspace until an agent with this id is registered again, with any parent. The
	 * files of its workspace are kept, and are available to a later agent with the same
	 * id and a workspace of its own. Acquired workspaces can be used until they are
	 * released.
	 * @param tenant the tenant of the agent
	 * @param agentId any text
	 * @return false if there is none
	 * @throws UnsupportedOperationException if the registry does not support removal
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public boolean remove(TenantContext tenant, String agentId) {
		if (find(tenant, agentId) == null && workspace(tenant, agentId) == null) {
			return false;
		}
		boolean removed = this.registry.remove(tenant.tenantId(), agentId);
		this.assignments.clear();
		return removed;
	}

	/**
	 * Finds an agent.
	 * @param tenant the tenant of the agent
	 * @param agentId any text
	 * @return the record, null if the agent is not registered
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public @Nullable AgentRecord find(TenantContext tenant, String agentId) {
		AgentRecord agent = AgentRecord.isReserved(agentId) ? null : this.registry.find(tenant.tenantId(), agentId);
		return (agent != null && agent.id().equals(agentId)) ? agent : null;
	}

	/**
	 * Returns the workspace of an agent: its own or, without one, the workspace of the
	 * nearest ancestor with one.
	 * @param tenant the tenant of the agent
	 * @param agentId any text
	 * @return the id of the workspace, equal to the id of the agent that it is assigned
	 * to
	 * @throws WorkspacePathException if the agent has no workspace
	 * ({@code workspace_not_assigned}), as the agent or one of its ancestors is not
	 * registered, or as it descends from {@link AgentRecord#USER} or from itself
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry fails
	 */
	public String workspaceOf(TenantContext tenant, String agentId) {
		forgetRemoved();
		String known = this.assignments.find(tenant.tenantId(), agentId);
		return (known != null) ? known : search(tenant.tenantId(), agentId);
	}

	/**
	 * Clears the cache if an agent was removed elsewhere.
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
				agent = (agent != null && agent.id().equals(current)) ? agent : null;
				boolean own = (agent != null && agent.assigned()) || this.registry.workspace(tenantId, current) != null;
				if (own) {
					workspace = current;
					break;
				}
				if (agent == null) {
					throw notAssigned(agentId,
							(current.equals(agentId) ? "it" : "its ancestor " + WorkspacePath.quote(current))
									+ " is not registered");
				}
				current = agent.parentId();
			}
		}
		for (String agent : way) {
			found.add(tenantId, agent, workspace);
		}
		return workspace;
	}

	static WorkspacePathException notAssigned(String agentId, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
				"The agent " + WorkspacePath.quote(agentId) + " has no workspace, as " + reason
						+ ": an agent has one if it or an ancestor is registered as a child of root, or assigned one");
	}

}

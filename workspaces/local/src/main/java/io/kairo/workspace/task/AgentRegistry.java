package io.kairo.workspace.task;

import org.jspecify.annotations.Nullable;

/**
 * A registry of the agents of each tenant and their parents. Records are added and
 * removed but never changed, so that a record may be cached until an agent is removed.
 * Implementations are safe for use by several threads and, if they are shared, by several
 * processes.
 */
public interface AgentRegistry {

	/**
	 * Finds an agent.
	 * @param tenantId the tenant of the agent
	 * @param agentId any text
	 * @return the record, null if the agent is not registered
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 */
	@Nullable AgentRecord find(String tenantId, String agentId);

	/**
	 * Adds an agent unless its id is registered. Of several concurrent calls, also by
	 * other processes, one adds its record and the others return it.
	 * @param tenantId the tenant of the agent
	 * @param agent the agent
	 * @return the registered record: the given one, or an earlier one with the same id
	 * @throws io.kairo.api.workspace.WorkspacePathException if the id differs from that
	 * of another agent only in case and the registry does not distinguish them
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 */
	AgentRecord add(String tenantId, AgentRecord agent);

	/**
	 * Finds the workspace that is assigned to an agent.
	 * @param tenantId the tenant of the agent
	 * @param agentId any text
	 * @return the record; null, as by default, if nothing is known of a workspace of its
	 * own; a child of {@link AgentRecord#ROOT} has one nevertheless
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 */
	default @Nullable TaskWorkspaceRecord workspace(String tenantId, String agentId) {
		return null;
	}

	/**
	 * Assigns a workspace to an agent unless it has an assigned directory. The agent need
	 * not be registered. Changes {@link #removals}, as descendants of the agent may have
	 * another workspace from now on.
	 * @param tenantId the tenant of the agent
	 * @param workspace the workspace
	 * @return the assigned workspace: the given one, or an earlier one of the same agent
	 * @throws UnsupportedOperationException if the registry does not support assignments,
	 * as by default
	 * @throws io.kairo.api.workspace.WorkspacePathException if the id differs from that
	 * of another agent only in case and the registry does not distinguish them
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 */
	default TaskWorkspaceRecord assign(String tenantId, TaskWorkspaceRecord workspace) {
		throw new UnsupportedOperationException(getClass().getName()
				+ " assigns no workspaces: use another registry, or let it override assign and workspace");
	}

	/**
	 * Removes an agent and its assigned workspace, so that its id can be registered
	 * again, possibly with another parent. Of several concurrent calls, also by other
	 * processes, one removes it.
	 * @param tenantId the tenant of the agent
	 * @param agentId any text
	 * @return false if the agent is not registered and has no workspace
	 * @throws UnsupportedOperationException if the registry does not support removal, as
	 * by default
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 */
	default boolean remove(String tenantId, String agentId) {
		throw new UnsupportedOperationException(getClass().getName()
				+ " keeps agents for ever: use another registry, or let it override remove and removals");
	}

	/**
	 * Returns a number that changes with each {@link #remove} and {@link #assign}, by any
	 * process, before that returns. Called often, so that it must be quick.
	 * @return the number, 0 by default and before any removal
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 */
	default long removals() {
		return 0;
	}

}

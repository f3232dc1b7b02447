package io.kairo.workspace.task;

import org.jspecify.annotations.Nullable;

/**
 * A registry of the agents of each tenant and their parents. Records are added and
 * removed but never changed, so that a record may be cached until an agent is removed.
 * Implementations are safe for use by several threads and, if they are shared, by several
 * processes.
 *
 * @since 0.1.0
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
	 * Removes an agent, so that its id can be registered again, possibly with another
	 * parent. Of several concurrent calls, also by other processes, one removes it.
	 * @param tenantId the tenant of the agent
	 * @param agentId any text
	 * @return false if the agent is not registered
	 * @throws UnsupportedOperationException if the registry does not support removal, as
	 * by default
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 * @since 0.1.0
	 */
	default boolean remove(String tenantId, String agentId) {
		throw new UnsupportedOperationException(getClass().getName()
				+ " keeps agents for ever: use another registry, or let it override remove and removals");
	}

	/**
	 * Returns a number that changes with each {@link #remove}, by any process, before
	 * that returns. Called often, so that it must be quick.
	 * @return the number, 0 by default and before any removal
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 * @since 0.1.0
	 */
	default long removals() {
		return 0;
	}

}

package io.kairo.workspace.task;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the agents of each tenant and their parents. Records are added and removed
 * and never changed, so that what was read once may be kept until an agent is removed.
 * Implementations are safe for use by several threads, and where they are shared, by
 * several processes.
 *
 * @since 0.1.0
 */
public interface AgentRegistry {

	/**
	 * Finds an agent.
	 * @param tenantId whose agent it is
	 * @param agentId any text
	 * @return what is known of it, null if nothing is
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 */
	@Nullable AgentRecord find(String tenantId, String agentId);

	/**
	 * Adds an agent unless there is one of this id: of several calls at once, also by
	 * other processes, one adds its record and the others get that.
	 * @param tenantId whose agent it is
	 * @param agent the agent
	 * @return what the registry has from now on: the given record, or another one of the
	 * same id that was there before
	 * @throws io.kairo.api.workspace.WorkspacePathException if the id differs from that
	 * of another agent only in case, where the registry does not tell them apart
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 */
	AgentRecord add(String tenantId, AgentRecord agent);

	/**
	 * Removes an agent, so that its id may be given again: to another agent, or with
	 * another parent. Of several calls at once, also by other processes, one removes it.
	 * @param tenantId whose agent it is
	 * @param agentId any text
	 * @return false if there is none
	 * @throws UnsupportedOperationException if the registry keeps agents for ever, as it
	 * does by default
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be written
	 * @since 0.1.0
	 */
	default boolean remove(String tenantId, String agentId) {
		throw new UnsupportedOperationException(getClass().getName()
				+ " keeps agents for ever: use another registry, or let it override remove and removals");
	}

	/**
	 * Returns a number that is another one after each {@link #remove}, by whatever
	 * process, before it returns. Asked for often, so that it must be quick.
	 * @return the number, 0 by default and for a registry that has removed nothing
	 * @throws io.kairo.api.workspace.WorkspaceException if the registry cannot be read
	 * @since 0.1.0
	 */
	default long removals() {
		return 0;
	}

}

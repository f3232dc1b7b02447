package io.kairo.workspace.task;

import org.jspecify.annotations.Nullable;

/**
 * Remembers the agents of each tenant and their parents. Records are added and never
 * changed, so that what was read once may be kept. Implementations are safe for use by
 * several threads, and where they are shared, by several processes.
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

}

package io.kairo.workspace.task;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PortableName;

/**
 * An agent and its parent. The parent never changes while the agent is registered.
 * Immutable.
 *
 * @param id the id of the agent
 * @param parentId the agent that created it, {@link #ROOT} or {@link #USER}
 */
public record AgentRecord(String id, String parentId) {

	/**
	 * The parent of agents that have a workspace of their own from the start; not an
	 * agent itself.
	 */
	public static final String ROOT = "root";

	/**
	 * The user who talks to agents; not an agent itself.
	 */
	public static final String USER = "user";

	/**
	 * Creates the value.
	 * @throws WorkspacePathException if one of them cannot be the id of an agent, or if
	 * they are equal
	 */
	public AgentRecord {
		if (isReserved(id)) {
			throw invalid("The agent id " + WorkspacePath.quote(id) + " is reserved: give the agent another one");
		}
		requireName(id);
		requireName(parentId);
		if (id.equals(parentId)) {
			throw invalid("The agent " + WorkspacePath.quote(id) + " cannot be its own parent: give the agent that "
					+ "made it, or root");
		}
	}

	/**
	 * Returns whether the agent has a workspace of its own, with the id of the agent,
	 * from the start. Any other agent has one if it is assigned.
	 * @return true if the parent is {@link #ROOT}
	 */
	public boolean assigned() {
		return this.parentId.equals(ROOT);
	}

	/**
	 * Creates the exception for an agent whose workspace would share the directory of
	 * this agent's workspace on some file systems.
	 */
	WorkspacePathException conflictWith(AgentRecord agent) {
		return new WorkspacePathException(WorkspaceErrorCode.CONFLICT,
				"The agent id " + WorkspacePath.quote(agent.id) + " differs from the registered "
						+ WorkspacePath.quote(this.id) + " only in case: give the agent another one");
	}

	static boolean isReserved(String id) {
		return id.equals(ROOT) || id.equals(USER);
	}

	private static void requireName(String id) {
		if (!PortableName.is(id)) {
			throw invalid(
					"The agent id " + WorkspacePath.quote(id) + " cannot be used: an id needs " + PortableName.RULE);
		}
	}

	private static WorkspacePathException invalid(String message) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, message);
	}

}

package io.kairo.workspace.task;

import java.nio.file.Path;
import java.time.Instant;
import java.util.Objects;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.workspace.local.PortableName;
import org.jspecify.annotations.Nullable;

/**
 * The workspace that is assigned to an agent. Immutable.
 *
 * @param workspaceId the id of the workspace and the agent
 * @param workspacePath the directory, absolute and normalized; null for the default
 * directory of the provider, named by the id
 * @param createdAt the time of the assignment, null if the registry does not know it
 * @param lazyCreated whether the directory existed when the record was read; false in the
 * records of a registry, since it does not look at the disk
 */
public record TaskWorkspaceRecord(String workspaceId, @Nullable Path workspacePath, @Nullable Instant createdAt,
		boolean lazyCreated) {

	/**
	 * Creates the value.
	 * @throws WorkspacePathException if the id cannot be an agent's, or if the path is
	 * not absolute and normalized or has a control character
	 */
	public TaskWorkspaceRecord {
		Objects.requireNonNull(workspaceId, "workspaceId");
		if (AgentRecord.isReserved(workspaceId) || !PortableName.is(workspaceId)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The agent id " + WorkspacePath.quote(workspaceId) + " cannot have a workspace: an id needs "
							+ PortableName.RULE + ", and is not root or user");
		}
		if (workspacePath != null && (!workspacePath.isAbsolute() || !workspacePath.normalize().equals(workspacePath)
				|| workspacePath.toString().chars().anyMatch(Character::isISOControl))) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"The directory " + WorkspacePath.quote(workspacePath.toString()) + " of the workspace "
							+ WorkspacePath.quote(workspaceId)
							+ " cannot be used: give an absolute path without '..' segments");
		}
	}

	/**
	 * Returns whether another record assigns the same directory to the same agent.
	 */
	boolean isSameAs(TaskWorkspaceRecord other) {
		return this.workspaceId.equals(other.workspaceId) && Objects.equals(this.workspacePath, other.workspacePath);
	}

}

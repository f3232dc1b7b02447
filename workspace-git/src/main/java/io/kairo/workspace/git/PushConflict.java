package io.kairo.workspace.git;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;

/**
 * Says that a branch is there already.
 */
final class PushConflict {

	private PushConflict() {
	}

	static WorkspaceException of(GitRemote remote, String branch) {
		return new WorkspaceException(WorkspaceErrorCode.CONFLICT, "The remote " + remote.url() + " has a branch "
				+ WorkspacePath.quote(branch) + " already: push to one with another name", null);
	}

}

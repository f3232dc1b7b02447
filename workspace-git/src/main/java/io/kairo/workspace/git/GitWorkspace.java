package io.kairo.workspace.git;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A checkout as a workspace.
 */
record GitWorkspace(String id, Path root, boolean writable, Map<String, String> metadata,
		WorkspaceHistory history) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.REMOTE_GIT;
	}

}

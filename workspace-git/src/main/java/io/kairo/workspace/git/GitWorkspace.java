package io.kairo.workspace.git;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A checkout as a workspace. Of the store its commands see the objects, and neither its
 * configuration nor what was fetched when.
 */
record GitWorkspace(String id, Path root, boolean writable, Map<String, String> metadata, WorkspaceHistory history,
		List<Path> borrowedDirectories) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.REMOTE_GIT;
	}

}

package io.kairo.workspace.task;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * The workspace of an agent and its descendants.
 */
record TaskWorkspace(String id, Path root, boolean writable) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.TASK;
	}

	@Override
	public Map<String, String> metadata() {
		return Map.of();
	}

}

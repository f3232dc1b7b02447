package io.kairo.workspace.memory;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A workspace whose files are in memory.
 */
record InMemoryWorkspace(String id, Path root, boolean writable) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.EPHEMERAL;
	}

	@Override
	public Map<String, String> metadata() {
		return Map.of();
	}

	@Override
	public boolean onDisk() {
		return false;
	}

}

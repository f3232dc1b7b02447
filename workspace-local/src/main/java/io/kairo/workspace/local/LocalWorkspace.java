package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A workspace in directories of this machine.
 */
record LocalWorkspace(String id, List<Path> roots, boolean writable) implements Workspace {

	@Override
	public Path root() {
		return this.roots.get(0);
	}

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.LOCAL;
	}

	@Override
	public Map<String, String> metadata() {
		return Map.of();
	}

}

package io.kairo.workspace.ephemeral;

import java.nio.file.Path;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A workspace in a directory that is deleted on release.
 */
record EphemeralWorkspace(String id, Path root, boolean writable, Map<String, String> metadata) implements Workspace {

	EphemeralWorkspace {
		metadata = Map.copyOf(metadata);
	}

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.EPHEMERAL;
	}

}

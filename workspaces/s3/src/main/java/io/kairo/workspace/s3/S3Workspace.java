package io.kairo.workspace.s3;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceSync;

/**
 * A workspace with the files of a location.
 *
 * @param id the id
 * @param root the directory of the files
 * @param writable whether the files may be changed
 * @param metadata the location and the time of writing back
 * @param sync the connection to the objects
 */
record S3Workspace(String id, Path root, boolean writable, Map<String, String> metadata,
		WorkspaceSync sync) implements Workspace {

	S3Workspace {
		Objects.requireNonNull(sync, "sync");
	}

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.OBJECT_STORE;
	}

}

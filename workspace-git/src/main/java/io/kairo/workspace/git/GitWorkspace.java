package io.kairo.workspace.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A checkout as a workspace.
 *
 * @param id its id
 * @param root where its files are
 * @param writable whether they may be changed
 * @param metadata what it is a checkout of
 * @param history compares, commits and pushes
 * @param objects where nothing but the objects of the store is
 */
record GitWorkspace(String id, Path root, boolean writable, Map<String, String> metadata, WorkspaceHistory history,
		Path objects) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.REMOTE_GIT;
	}

	/**
	 * {@inheritDoc} That is the objects of the store, and neither its configuration nor
	 * what was fetched when. Without a store, which somebody may have removed by hand,
	 * commands have no history and run all the same.
	 */
	@Override
	public List<Path> borrowedDirectories() {
		return Files.isDirectory(this.objects) ? List.of(this.objects) : List.of();
	}

}

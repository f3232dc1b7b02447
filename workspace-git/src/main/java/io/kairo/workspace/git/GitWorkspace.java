package io.kairo.workspace.git;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * A workspace with the files of a checkout.
 *
 * @param id the id
 * @param root the directory of the files
 * @param writable whether the files may be changed
 * @param metadata the remote, the commit and further entries about the checkout
 * @param history the history, which compares, commits and pushes
 * @param objects the directory of the objects of the store, which has no other files
 */
record GitWorkspace(String id, Path root, boolean writable, Map<String, String> metadata, WorkspaceHistory history,
		Path objects) implements Workspace {

	@Override
	public WorkspaceKind kind() {
		return WorkspaceKind.REMOTE_GIT;
	}

	/**
	 * {@inheritDoc} That is the directory of the objects of the store, without its
	 * configuration and fetch times. If the store was removed by hand, commands run
	 * without a history.
	 */
	@Override
	public List<Path> borrowedDirectories() {
		return Files.isDirectory(this.objects) ? List.of(this.objects) : List.of();
	}

}

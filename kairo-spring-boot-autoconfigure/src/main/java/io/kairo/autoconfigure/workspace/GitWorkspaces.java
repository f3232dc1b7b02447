package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.git.GitWorkspaceProvider;

/**
 * Holds the provider of Git workspaces and closes it at the end. No bean of its type,
 * since there is one {@link io.kairo.api.workspace.WorkspaceProvider}.
 *
 * @param provider makes the workspaces
 */
record GitWorkspaces(GitWorkspaceProvider provider) implements AutoCloseable {

	@Override
	public void close() {
		this.provider.close();
	}

}

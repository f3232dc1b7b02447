package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Requests read-only workspaces from another provider.
 *
 * @param provider the provider of the workspaces
 */
record ReadOnlyWorkspaceProvider(WorkspaceProvider provider) implements WorkspaceProvider {

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		return this.provider.acquire(new WorkspaceRequest(request.hint(), request.tenant(), false));
	}

	@Override
	public void release(@Nullable String workspaceId) {
		this.provider.release(workspaceId);
	}

}

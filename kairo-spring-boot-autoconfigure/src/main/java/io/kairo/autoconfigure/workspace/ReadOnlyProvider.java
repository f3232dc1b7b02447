package io.kairo.autoconfigure.workspace;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Makes workspaces that may only be read, whatever is asked for.
 *
 * @param provider makes them
 */
record ReadOnlyProvider(WorkspaceProvider provider) implements WorkspaceProvider {

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		return this.provider.acquire(new WorkspaceRequest(request.hint(), request.tenant(), false));
	}

	@Override
	public void release(@Nullable String workspaceId) {
		this.provider.release(workspaceId);
	}

}

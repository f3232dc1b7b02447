package io.kairo.workspace.routing;

import java.time.Duration;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * Listener for the acquire and release of workspaces. Called on the thread that acquires
 * or releases, by several threads concurrently, so that it needs to be quick. Exceptions
 * are logged and have no other effect.
 */
public interface WorkspaceListener {

	/**
	 * Called when a workspace was acquired, for the first time or again.
	 * @param workspace the workspace
	 * @param tenant the tenant that it was acquired for
	 * @param took the duration of the call
	 */
	default void acquired(Workspace workspace, TenantContext tenant, Duration took) {
	}

	/**
	 * Called when a workspace could not be acquired.
	 * @param request the request
	 * @param failure the failure
	 * @param took the duration of the call
	 */
	default void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
	}

	/**
	 * Called when a holder released a workspace, or lost it.
	 * @param workspace the workspace
	 * @param tenant the tenant that it was acquired for
	 * @param remaining the number of remaining holders; 0 if the workspace is gone
	 */
	default void released(Workspace workspace, TenantContext tenant, int remaining) {
	}

}

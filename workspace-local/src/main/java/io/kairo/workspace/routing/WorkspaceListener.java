package io.kairo.workspace.routing;

import java.time.Duration;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * Receives the acquires and releases of workspaces. Called on the thread that acquires or
 * releases, by several threads at once; must be quick. Exceptions are logged and have no
 * other effect.
 *
 * @since 0.1.0
 */
public interface WorkspaceListener {

	/**
	 * Called when a workspace was acquired, for the first time or again.
	 * @param workspace the workspace
	 * @param tenant the tenant for which it was acquired
	 * @param took the duration of the acquire
	 */
	default void acquired(Workspace workspace, TenantContext tenant, Duration took) {
	}

	/**
	 * Called when a workspace could not be acquired.
	 * @param request the request
	 * @param failure the failure
	 * @param took the duration of the acquire
	 */
	default void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
	}

	/**
	 * Called when a holder released a workspace.
	 * @param workspace the workspace
	 * @param tenant the tenant for which it was acquired
	 * @param remaining number of remaining holders; 0 when the workspace is no longer
	 * leased
	 */
	default void released(Workspace workspace, TenantContext tenant, int remaining) {
	}

}

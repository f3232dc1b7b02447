package io.kairo.workspace.routing;

import java.time.Duration;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceRequest;

/**
 * Is told when workspaces come and go. Called on the thread that acquires or releases, by
 * several threads at once; must be quick. What it throws is logged and keeps nobody from
 * anything.
 *
 * @since 0.1.0
 */
public interface WorkspaceListener {

	/**
	 * A workspace was acquired: for the first time, or once more.
	 * @param workspace the workspace
	 * @param tenant who it was acquired for
	 * @param took how long that took
	 */
	default void acquired(Workspace workspace, TenantContext tenant, Duration took) {
	}

	/**
	 * A workspace could not be acquired.
	 * @param request what was asked for
	 * @param failure why not
	 * @param took how long that took
	 */
	default void refused(WorkspaceRequest request, RuntimeException failure, Duration took) {
	}

	/**
	 * Somebody who had acquired a workspace gave it back.
	 * @param workspace the workspace
	 * @param tenant who it was acquired for
	 * @param remaining how many still have it; 0 when it is gone
	 */
	default void released(Workspace workspace, TenantContext tenant, int remaining) {
	}

}

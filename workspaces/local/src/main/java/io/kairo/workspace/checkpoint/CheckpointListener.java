package io.kairo.workspace.checkpoint;

import io.kairo.api.tenant.TenantContext;

/**
 * Is told the size of what is kept. Called by several threads.
 */
@FunctionalInterface
public interface CheckpointListener {

	/**
	 * Called after the size of a workspace may have changed.
	 * @param tenant the tenant of the workspace
	 * @param bytes the size of what is kept for all workspaces of the tenant, in bytes
	 * @param maxBytes the maximum size in bytes
	 */
	void measured(TenantContext tenant, long bytes, long maxBytes);

}

package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;

/**
 * A provider of workspaces. Safe for use by several threads.
 * <p>
 * Keys of {@link Workspace#metadata()} with a fixed meaning: {@code git.remote},
 * {@code git.branch} and {@code git.commit}. Other keys are specific to the provider.
 */
public interface WorkspaceProvider {

	/**
	 * Creates or finds the requested workspace. Its root is valid until
	 * {@link #release(String)} is called with its id.
	 * @param request the request
	 * @return the workspace
	 * @throws WorkspacePathException if the hint does not name a workspace of this
	 * provider
	 * @throws WorkspaceException if the backend failed
	 */
	Workspace acquire(WorkspaceRequest request);

	/**
	 * Releases a workspace. An unknown id, or null, is ignored.
	 * @param workspaceId the id of an acquired workspace
	 * @throws WorkspaceException if the backend failed to clean up
	 */
	void release(@Nullable String workspaceId);

}

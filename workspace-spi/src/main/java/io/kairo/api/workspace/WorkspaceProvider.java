package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;

/**
 * Makes workspaces. Safe for use by several threads at once.
 * <p>
 * Keys of {@link Workspace#metadata()} with a fixed meaning: {@code git.remote},
 * {@code git.branch} and {@code git.commit}. Other keys are the provider's own.
 *
 * @since 0.1.0
 */
public interface WorkspaceProvider {

	/**
	 * Makes or finds the workspace that the request asks for. Its root is valid until
	 * {@link #release(String)} is called with its id.
	 * @param request what is asked for
	 * @return the workspace
	 * @throws WorkspacePathException if the hint names nothing that this provider can
	 * make a workspace of
	 * @throws WorkspaceException if the backend failed
	 */
	Workspace acquire(WorkspaceRequest request);

	/**
	 * Gives a workspace back. An unknown id, or null, is ignored.
	 * @param workspaceId the id of an acquired workspace
	 * @throws WorkspaceException if the backend failed to clean up
	 */
	void release(@Nullable String workspaceId);

}

package io.kairo.api.workspace;

/**
 * Opens the files of workspaces. Safe for use by several threads.
 * <p>
 * A factory is configured with the path policy, the write policy and the state directory.
 * The workspace contributes {@link Workspace#writable()} and {@link Workspace#roots()}.
 */
@FunctionalInterface
public interface WorkspaceFilesFactory {

	/**
	 * Opens the files of a workspace. Cheap enough to be called for every operation.
	 * @param workspace an acquired workspace
	 * @return its files, for use by several threads
	 * @throws WorkspaceException if the files cannot be reached
	 */
	WorkspaceFiles open(Workspace workspace);

}

package io.kairo.api.workspace;

/**
 * Leads from a workspace to its files. Safe for use by several threads.
 * <p>
 * A factory is made with the path policy, the write policy and the state directory;
 * opening adds what the workspace says of itself: {@link Workspace#writable()} and
 * {@link Workspace#roots()}.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface WorkspaceFilesFactory {

	/**
	 * Opens the files of a workspace. Cheap enough for every call.
	 * @param workspace an acquired workspace
	 * @return its files, for use by several threads
	 * @throws WorkspaceException if the files cannot be reached
	 */
	WorkspaceFiles open(Workspace workspace);

}

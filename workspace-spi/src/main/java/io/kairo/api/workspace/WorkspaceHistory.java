package io.kairo.api.workspace;

/**
 * The version control behind a workspace. Safe for use by several threads; operations on
 * one workspace happen one after the other.
 *
 * @since 0.1.0
 */
public interface WorkspaceHistory {

	/**
	 * Compares the files with what was committed last.
	 * @return a unified diff with the new files in it, empty if nothing changed
	 */
	WorkspaceResult<String> diff();

	/**
	 * Commits every change of the files.
	 * @param message the commit message
	 * @return the id of the commit
	 */
	WorkspaceResult<String> commit(String message);

	/**
	 * Pushes what was committed to a new branch of the remote.
	 * @param branch the name of a branch that the remote does not have yet
	 * @return the id of the commit that the branch is at
	 */
	WorkspaceResult<String> push(String branch);

}

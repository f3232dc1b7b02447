package io.kairo.api.workspace;

/**
 * The version control of a workspace. Safe for use by several threads; operations on one
 * workspace are serialised.
 *
 * @since 0.1.0
 */
public interface WorkspaceHistory {

	/**
	 * Compares the files with the last commit.
	 * @return a unified diff that includes new files, empty if nothing changed
	 */
	WorkspaceResult<String> diff();

	/**
	 * Commits every change of the files.
	 * @param message the commit message
	 * @return the id of the commit
	 */
	WorkspaceResult<String> commit(String message);

	/**
	 * Pushes the last commit to a new branch of the remote.
	 * @param branch the name of a branch that does not exist on the remote yet
	 * @return the id of the commit at which the branch is
	 */
	WorkspaceResult<String> push(String branch);

}

package io.kairo.api.workspace;

import java.util.function.BooleanSupplier;

/**
 * The version control of a workspace. Safe for use by several threads; operations on one
 * workspace are serialised.
 */
public interface WorkspaceHistory {

	/**
	 * Compares the files with the last commit.
	 * @return a unified diff that includes new files, empty if nothing changed
	 */
	WorkspaceResult<String> diff();

	/**
	 * Compares the files with the last commit until the time is over. Lines that are not
	 * compared by then are shown as replaced, so the diff is correct, but not minimal; if
	 * not all files have been read by then, it fails. The default implementation ignores
	 * the bound.
	 * @param over returns whether comparing has to end; called often
	 * @return a unified diff that includes new files, empty if nothing changed
	 */
	default WorkspaceResult<String> diff(BooleanSupplier over) {
		return diff();
	}

	/**
	 * Commits every change of the files.
	 * @param message the commit message
	 * @return the id of the commit
	 */
	WorkspaceResult<String> commit(String message);

	/**
	 * Pushes the last commit to a new branch of the remote.
	 * @param branch the name of a branch that does not exist on the remote yet
	 * @return the id of the commit that the branch points to
	 */
	WorkspaceResult<String> push(String branch);

}

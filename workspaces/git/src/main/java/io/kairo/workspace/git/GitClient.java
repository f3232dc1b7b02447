package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

/**
 * A Git implementation that talks to remotes and writes checkouts. It runs no program
 * that a repository names: no hook, no filter, no helper. Safe for use by several
 * threads.
 */
interface GitClient {

	/**
	 * Returns the name and version of the implementation.
	 */
	String description();

	/**
	 * Asks a remote for its default branch.
	 * @return the full name of the branch, or the id of the commit of a detached
	 * {@code HEAD}; null if there is neither
	 * @throws WorkspaceException if the remote is unreachable or refuses access
	 */
	@Nullable String head(GitRemote remote, Path store, Deadline deadline) throws IOException;

	/**
	 * Fetches from a remote into a store. The caller holds the lock of the store.
	 * @throws WorkspaceException if the remote is unreachable, refuses access, does not
	 * have the refs, or exceeds the limit of a store
	 */
	void fetch(GitRemote remote, Path store, FetchSpec spec, Deadline deadline) throws IOException;

	/**
	 * Writes the files of a commit into an empty directory, and their index.
	 * @param gitDirectory the repository that receives the index and has the objects
	 */
	void populate(Path gitDirectory, Path tree, String commit, Deadline deadline) throws IOException;

	/**
	 * Creates a branch in a remote.
	 * @throws WorkspaceException if the branch exists, or the remote is unreachable or
	 * refuses access
	 */
	void push(GitRemote remote, Path gitDirectory, String commit, String branch, Deadline deadline) throws IOException;

}

package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.api.workspace.WorkspaceException;
import org.jspecify.annotations.Nullable;

/**
 * The program that talks to remotes and writes checkouts. Runs nothing that a repository
 * names: no hook, no filter, no helper. Safe for use by several threads.
 */
interface GitClient {

	/**
	 * Returns its name and version.
	 */
	String description();

	/**
	 * Asks a remote for its default branch.
	 * @return the full name of a branch, or the id of a commit; null if there is neither
	 * @throws WorkspaceException if the remote does not answer or refuses
	 */
	@Nullable String head(GitRemote remote, Path store, Deadline deadline) throws IOException;

	/**
	 * Brings what a remote has into a store that nobody else fetches into meanwhile.
	 * @throws WorkspaceException if the remote does not answer, refuses, does not have
	 * it, or has too much
	 */
	void fetch(GitRemote remote, Path store, FetchSpec spec, Deadline deadline) throws IOException;

	/**
	 * Writes the files of a commit into an empty directory, and an index of them.
	 * @param gitDirectory where the index goes; knows the objects
	 */
	void populate(Path gitDirectory, Path tree, String commit, Deadline deadline) throws IOException;

	/**
	 * Makes a branch of a remote.
	 * @throws WorkspaceException if the remote has it already, does not answer or refuses
	 */
	void push(GitRemote remote, Path gitDirectory, String commit, String branch, Deadline deadline) throws IOException;

}

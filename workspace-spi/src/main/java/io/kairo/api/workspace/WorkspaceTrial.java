package io.kairo.api.workspace;

import java.util.List;
import java.util.Set;

import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;

/**
 * A copy of the files of a workspace in which changes and commands are tried: what they
 * do counts once it is committed, and leaves nothing otherwise. Paths are those of the
 * workspace. Paths that the write policy protects are not committed, nor are sockets,
 * FIFOs and devices. Files and directories that the application may not read are left out
 * of the copy, and a commit does not touch them. Safe for use by several threads.
 */
public interface WorkspaceTrial extends AutoCloseable {

	/**
	 * Returns the files of the trial. Commands are run in their
	 * {@linkplain WorkspaceFiles#location(java.nio.file.Path) location}. After the end of
	 * the trial they can no longer be changed.
	 * @param files the files of the workspace, which
	 * {@link WorkspaceFiles#relocated(java.util.Map)} of the result returns again for no
	 * directories
	 * @return the files
	 */
	WorkspaceFiles files(WorkspaceFiles files);

	/**
	 * Returns what is left out of the copy, since the application may not read it. What
	 * the trial makes at such a path, or below it, cannot be committed.
	 * @return the files, and the directories with everything in them, in the order of
	 * their paths; empty by default
	 */
	default List<WorkspacePath> leftOut() {
		return List.of();
	}

	/**
	 * Returns what a commit would do.
	 * @param files the files of the trial
	 * @return the changes: from the state at the beginning of the trial to its own. An
	 * entry that others changed in the workspace meanwhile has an obstacle. Or a failure:
	 * {@code too_large}, {@code read_failed} or {@code write_failed}
	 */
	WorkspaceResult<Rewind> changes(WorkspaceFiles files);

	/**
	 * Makes the changes in the workspace, all or none, and ends the trial. It is a step
	 * of the session, which a rewind undoes.
	 * @param files the files of the trial
	 * @param overwritten the entries that are changed even if others changed them
	 * @return the changes; {@link Rewind#done()} is false if an obstacle prevented them,
	 * and the trial goes on. Or a failure, after which nothing is changed, and the trial
	 * goes on: {@code conflict} while a command runs in the trial, {@code quota_exceeded}
	 * if the changes exceed the quota of the workspace
	 */
	WorkspaceResult<Rewind> commit(WorkspaceFiles files, Set<WorkspacePath> overwritten);

	/**
	 * Ends the trial, and removes the copy. Commands in it should have ended before. Does
	 * nothing after the end.
	 */
	@Override
	void close();

}

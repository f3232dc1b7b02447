package io.kairo.api.workspace;

import org.jspecify.annotations.Nullable;

/**
 * The connection between a workspace on this machine and the remote storage that its
 * files come from. Changes of the files are local until they are written back. Safe for
 * use by several threads; operations on one workspace are serialised.
 */
public interface WorkspaceSync {

	/**
	 * Fetches every file that is not on this machine yet. A component that runs commands
	 * in the workspace calls this before each command, and runs no command if it fails:
	 * the directories may contain placeholders of files.
	 * @return the number of fetched files, or a failure such as {@code too_large},
	 * {@code remote_unreachable} or {@code write_failed}
	 */
	WorkspaceResult<Integer> materialize();

	/**
	 * Writes all changes back, including changes by commands. A change is written only if
	 * the remote version is still its base version.
	 * @return the outcome for each changed path, or a failure if the changes could not be
	 * determined
	 */
	WorkspaceResult<SyncReport> writeBack();

	/**
	 * Called after a command has ended. Writes changes back if each change is to be
	 * written at once.
	 * @return the outcome, or null, the default, if nothing is written before it is
	 * requested
	 */
	default @Nullable WorkspaceResult<SyncReport> commandEnded() {
		return null;
	}

}

package io.kairo.tools.command;

import java.util.List;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceSync;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace with a remote storage, around a command.
 */
final class SyncedFiles {

	private SyncedFiles() {
	}

	/**
	 * Fetches the files that a command may read.
	 * @return the reason that no command can run, null if it can
	 */
	static @Nullable ToolResult fetch(ToolContext context) {
		WorkspaceSync sync = context.currentWorkspace().sync();
		WorkspaceResult<Integer> fetched = (sync != null) ? sync.materialize() : WorkspaceResult.ok(0);
		return (fetched instanceof WorkspaceResult.Failure<Integer> failure) ? ToolResult.failure(failure.code().code(),
				"The command was not run, as the files of the workspace could not all be fetched: " + failure.message(),
				"Use the file tools, which fetch only what they read.") : null;
	}

	/**
	 * Writes the changes of a command back if that is to be done at once.
	 * @return the problems
	 */
	static List<String> writeBack(ToolContext context) {
		WorkspaceSync sync = context.currentWorkspace().sync();
		WorkspaceResult<SyncReport> written = (sync != null) ? sync.commandEnded() : null;
		if (written == null) {
			return List.of();
		}
		if (written instanceof WorkspaceResult.Failure<SyncReport> failure) {
			return List.of("changes were not written back: " + Phrase.visible(failure.message()));
		}
		return written.value().complete() ? List.of()
				: List.of("not all changes were written back: " + Phrase.visible(written.value().problems()));
	}

}

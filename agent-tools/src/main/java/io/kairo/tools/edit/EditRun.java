package io.kairo.tools.edit;

import java.util.Collection;
import java.util.stream.Collectors;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.WholeFile;
import io.kairo.tools.text.Phrase;

/**
 * The course of a call that changes files: it waits for room in memory and for other
 * calls of its session that change the same files, plans, and writes.
 */
final class EditRun {

	/** The heap that a call needs, as a multiple of the size of its files. */
	private static final int HEAP_FACTOR = 6;

	private static final int MAX_NAMED = 3;

	private EditRun() {
	}

	/**
	 * Runs a call.
	 * @param paths the files of the call
	 * @param terms the terms of messages
	 * @param context the context of the call
	 * @param options the bounds of the tool
	 * @param work the work
	 * @return the result
	 */
	static ToolResult of(Collection<WorkspacePath> paths, EditTerms terms, ToolContext context, EditOptions options,
			Work work) {
		CallDeadline deadline = context.deadline(options.deadline());
		return WholeFile.holding(paths, HEAP_FACTOR, deadline, context,
				() -> context.session().inTurn(paths, () -> perform(paths, terms, context, options, deadline, work)));
	}

	private static ToolResult perform(Collection<WorkspacePath> paths, EditTerms terms, ToolContext context,
			EditOptions options, CallDeadline deadline, Work work) {
		EditTime time = new EditTime(deadline);
		try {
			return work.perform(new EditedFiles(context, options, terms, time));
		}
		catch (EditRefusal ex) {
			return deadline.isCancelled() ? cancelled() : ex.result();
		}
		catch (EditTime.OverException ex) {
			String files = paths.stream()
				.limit(MAX_NAMED)
				.map((path) -> "'" + context.display(path) + "'")
				.collect(Collectors.joining(", ", "", (paths.size() > MAX_NAMED) ? ", …" : ""));
			return deadline.isCancelled() ? cancelled()
					: ToolResult.failure(WorkspaceErrorCode.TOO_LARGE.code(),
							Phrase.of("%s was not found in %s within %.1f seconds, with the wait for other calls.",
									(terms == EditTerms.STRINGS) ? terms.old() : "The text of the hunks", files,
									options.deadline().toMillis() / 1000.0),
							"Nothing was written. Change less at once, or use a command such as sed on " + files + ".");
		}
		catch (CancelledException ex) {
			return cancelled();
		}
	}

	private static ToolResult cancelled() {
		return ToolResult.cancelled("The edit was cancelled, and nothing was written.");
	}

	/**
	 * Ends a plan before it is written.
	 * @param effect the effect of the call
	 * @param report the report of the call
	 * @return the result
	 * @throws EditRefusal if nothing would change, or the store refuses a change
	 */
	static ToolResult finish(EditEffect effect, EditReport report) throws EditRefusal {
		if (report.files().all().stream().noneMatch(EditRun::matters)) {
			throw new EditRefusal(ToolError.NO_CHANGE, "The files would be the same afterwards.",
					"Leave them as they are: new lines end as those of the file do.");
		}
		if (report.context().cancellation().isCancelled()) {
			throw new CancelledException();
		}
		return (effect == EditEffect.SHOW) ? report.show() : report.write();
	}

	private static boolean matters(EditedFile file) {
		return file.isChanged() || file.isMoved() || (file.isDeleted() && file.isOnDisk());
	}

	/**
	 * The planning and writing of a call.
	 */
	@FunctionalInterface
	interface Work {

		ToolResult perform(EditedFiles files) throws EditRefusal;

	}

	/**
	 * Thrown to leave a call that was cancelled.
	 */
	private static final class CancelledException extends RuntimeException {

		private static final long serialVersionUID = 1L;

		private CancelledException() {
			super("The edit is cancelled", null, false, false);
		}

	}

}

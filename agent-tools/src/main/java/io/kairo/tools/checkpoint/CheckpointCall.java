package io.kairo.tools.checkpoint;

import java.util.List;
import java.util.function.Function;

import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.CurrentTrial;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * Common parts of the calls of the tools of checkpoints.
 */
final class CheckpointCall {

	private CheckpointCall() {
	}

	/**
	 * Performs a call in a session whose changes are recorded.
	 */
	static ToolResult in(ToolContext context, Function<WorkspaceCheckpoints, ToolResult> call) {
		if (context.inTrial()) {
			return CurrentTrial.refusal();
		}
		WorkspaceCheckpoints checkpoints = context.session().checkpoints();
		return (checkpoints != null) ? call.apply(checkpoints)
				: ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
						"Nothing is recorded in this session.", "Undo changes by further edits.");
	}

	/**
	 * Returns the steps that arguments denote.
	 * @param usual the steps without arguments
	 * @throws ToolArgumentException if the arguments contradict each other
	 */
	static Range range(@Nullable String since, @Nullable Integer steps, boolean redo, @Nullable List<String> paths,
			Range usual, ToolContext context) {
		if ((since != null ? 1 : 0) + (steps != null ? 1 : 0) + (redo ? 1 : 0) > 1) {
			throw new ToolArgumentException("More than one of since, steps and redo is given.", "Give one of them.");
		}
		if (steps != null && steps < 1) {
			throw new ToolArgumentException("steps is " + steps + ", but it must be above zero.",
					"Give a number of steps.");
		}
		Range range = (since != null) ? Range.since(since)
				: (steps != null) ? Range.last(steps) : redo ? Range.redo() : usual;
		return range.of(paths(paths, context));
	}

	static List<WorkspacePath> paths(@Nullable List<String> paths, ToolContext context) {
		return (paths != null) ? paths.stream().map(context::resolve).toList() : List.of();
	}

}

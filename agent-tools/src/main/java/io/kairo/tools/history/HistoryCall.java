package io.kairo.tools.history;

import java.util.function.Function;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;

/**
 * Asks the history of the workspace for something, and makes a result of whatever it
 * answers.
 */
final class HistoryCall {

	private HistoryCall() {
	}

	/**
	 * Makes a call.
	 * @param context leads to the workspace
	 * @param question what to ask its history
	 * @param answer makes the result where the history did it
	 * @return the result; a failure where there is no history, or it could not
	 */
	static ToolResult in(ToolContext context, Function<WorkspaceHistory, WorkspaceResult<String>> question,
			Function<String, ToolResult> answer) {
		WorkspaceHistory history = context.currentWorkspace().history();
		if (history == null) {
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					"This workspace is not under version control.", "Work with its files only.");
		}
		WorkspaceResult<String> result = question.apply(history);
		return (result instanceof WorkspaceResult.Failure<String> failure) ? ToolResult.failure(failure)
				: answer.apply(result.value());
	}

}

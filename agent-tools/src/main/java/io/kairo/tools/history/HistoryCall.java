package io.kairo.tools.history;

import java.util.function.Function;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceHistory;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CurrentTrial;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;

/**
 * A call to the history of a workspace.
 */
final class HistoryCall {

	private HistoryCall() {
	}

	/**
	 * Makes a call.
	 * @param context the context of the call
	 * @param question the operation on the history
	 * @param answer makes the result of a success
	 * @return the result; a failure if there is no history, or if the operation failed
	 */
	static ToolResult in(ToolContext context, Function<WorkspaceHistory, WorkspaceResult<String>> question,
			Function<String, ToolResult> answer) {
		if (context.inTrial()) {
			return CurrentTrial.refusal();
		}
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

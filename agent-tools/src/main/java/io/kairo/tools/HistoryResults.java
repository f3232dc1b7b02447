package io.kairo.tools;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * What the tools of version control say when they cannot do it.
 */
final class HistoryResults {

	private HistoryResults() {
	}

	static ToolResult noHistory() {
		return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
				"This workspace is not under version control.", "Work with its files only.");
	}

	static ToolResult failure(WorkspaceResult.Failure<String> failure) {
		return ToolResult.failure(failure.code().code(), failure.message(), null);
	}

}

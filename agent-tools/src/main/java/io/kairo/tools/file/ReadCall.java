package io.kairo.tools.file;

import java.util.Objects;
import java.util.function.Function;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.text.Phrase;

/**
 * The parts of a call that {@link ReadTool} and {@link ReadFileTool} have in common.
 *
 * @param path the path as the call gives it
 * @param range the requested lines
 * @param options the bounds of the tool
 * @param context the context of the call
 * @param format makes the result of a page
 */
record ReadCall(String path, LineRange range, ReadOptions options, ToolContext context,
		Function<ReadPage, ToolResult> format) {

	/**
	 * Returns whether the path names the output of a command, which is not in the
	 * workspace.
	 */
	boolean isOfOutput() {
		return this.path.startsWith(OutputFiles.PREFIX);
	}

	/**
	 * Reads the output of a command.
	 */
	ToolResult readOutput() {
		OutputFiles files = new OutputFiles(this.context.files(), this.context.session().outputs(), this.path);
		WorkspaceResult<TextFile> opened = TextFile.open(files, files.path());
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return ToolResult.failure(failure.code().code(), failure.message() + ".",
					"Run the command again; a file of that name is './" + this.path + "'.");
		}
		return page(this.path, opened.value());
	}

	/**
	 * Reads a file of the workspace, and remembers the version that was read.
	 */
	ToolResult read(WorkspacePath file, TextFile text) {
		ToolResult result = page(this.context.display(file), text);
		if (result.error() == null) {
			byte[] content = text.wholeContent();
			if (content != null) {
				this.context.session().ledger().record(file, text.version(), content);
			}
			else {
				this.context.session().ledger().record(file, text.version());
			}
		}
		return result;
	}

	private ToolResult page(String shownPath, TextFile text) {
		int maxLines = this.range.maxLines(this.options);
		WorkspaceResult<TextFile.Range> lines = text.lines(this.range.firstLine(), maxLines, this.options,
				this.context.cancellation());
		if (lines instanceof WorkspaceResult.Failure<TextFile.Range> failure) {
			return ToolResult.failure(failure);
		}
		if (this.context.cancellation().isCancelled()) {
			return ToolResult.cancelled("The reading was cancelled.");
		}
		return this.format
			.apply(new ReadPage(shownPath, this.range.firstLine(), maxLines, this.options, text, lines.value()));
	}

	/**
	 * Creates the refusal of a file that does not exist.
	 * @param message the message of the failure
	 */
	ToolResult missing(WorkspacePath file, String message) {
		return ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(), message,
				Objects.requireNonNullElse(NearNames.question(file, this.context), "Check the path."));
	}

	/**
	 * Creates the refusal of a file that is not text.
	 * @param kind the kind of its content
	 */
	ToolResult notText(WorkspacePath file, String kind, TextFile content) {
		return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
				Phrase.of("'%s' is %s of %,d bytes, not text.", this.context.display(file), kind, content.size()),
				"Use a command that understands this kind of file.");
	}

}

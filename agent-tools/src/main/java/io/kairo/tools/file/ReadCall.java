package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.ReadLedger;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolResult;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.text.EditableText;
import io.kairo.tools.text.Gutter;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a call that {@link ReadTool} and {@link ReadFileTool} have in common.
 *
 * @param path the path as the call gives it
 * @param range the requested lines
 * @param options the bounds of the tool
 * @param context the context of the call
 * @param deadline the deadline of the call, waiting included
 * @param form converts a line to its shown form
 * @param format converts the page that was read to the result of the tool
 */
record ReadCall(String path, LineRange range, ReadOptions options, ToolContext context, CallDeadline deadline,
		UnaryOperator<String> form, Function<Page, ToolResult> format) {

	/**
	 * Returns whether the path names the output of a command. Such output is not in the
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
			ReadLedger ledger = this.context.session().ledger();
			WorkspacePath known = ledger.known(file, this.context.files());
			if (content != null) {
				ledger.record(known, text.version(), content);
			}
			else {
				ledger.record(known, text.version());
			}
		}
		return result;
	}

	/**
	 * Attaches a whole file of the workspace. It does not count as read, since the model
	 * may never see it.
	 */
	ToolResult attach(WorkspacePath file) {
		ToolResult result = new AttachedFile(file, this.context).whole(this.deadline);
		ToolError error = result.error();
		return (error != null && error.code().equals(WorkspaceErrorCode.FILE_NOT_FOUND.code()))
				? missing(file, error.message()) : result;
	}

	private ToolResult page(String shownPath, TextFile text) {
		WorkspaceResult<LineWindow> lines = text.lines(this.range, this.options, this.form, this.deadline);
		if (lines instanceof WorkspaceResult.Failure<LineWindow> failure) {
			return ToolResult.failure(failure);
		}
		if (this.deadline.isCancelled()) {
			return ToolResult.cancelled("The reading was cancelled.");
		}
		return this.format.apply(new Page(shownPath, this.range, this.options, text, lines.value()));
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
		return ToolResult.failure(
				WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(), Phrase.of("'%s' is %s of %s, not text.",
						this.context.display(file), kind, Phrase.count(content.size(), "byte")),
				"Use a command that understands this kind of file.");
	}

	/**
	 * A page of a file, as results show it.
	 *
	 * @param path the file, as spelled in results
	 * @param range the requested range
	 * @param options the bounds of the tool
	 * @param file the file
	 * @param window the lines
	 */
	record Page(String path, LineRange range, ReadOptions options, TextFile file, LineWindow window) {

		/**
		 * Returns the lines with their numbers as text, and the content alone as data.
		 * @param parameter the name of the parameter that takes the path
		 * @param whole whether the content is the whole file with its own line ends,
		 * regardless of how much the text shows; otherwise it is the lines, each with a
		 * line feed, or the characters
		 */
		ToolResult contentResult(String parameter, boolean whole) {
			ToolResult result = result(parameter, "\n(version " + this.file.version() + ")");
			String lineFeed = (this.range.firstCharacter() > 0) ? "" : "\n";
			byte[] bytes = whole ? this.file.wholeContent() : null;
			String content = (bytes != null) ? decoded(bytes)
					: this.window.lines().stream().map((line) -> line + lineFeed).collect(Collectors.joining());
			return new ToolResult(result.text(), Map.of("content", content), null,
					(bytes != null) ? Completeness.COMPLETE : result.complete());
		}

		private String decoded(byte[] bytes) {
			TextEncoding encoding = this.file.encoding();
			return encoding.charset().equals(StandardCharsets.UTF_8) ? new String(bytes, StandardCharsets.UTF_8)
					: new EditableText(bytes, encoding).text();
		}

		/**
		 * Returns the lines with their numbers as text, and facts about them as data.
		 * @param parameter the name of the parameter that takes the path
		 * @param lastLine the end of the text, with a line feed before it; may be empty
		 */
		ToolResult result(String parameter, String lastLine) {
			StringBuilder text = new StringBuilder();
			long number = this.range.firstLine();
			for (String line : this.window.lines()) {
				text.append(Gutter.number(number++, line)).append('\n');
			}
			LineRange next = next();
			text.append(footer(next)).append(lastLine);
			Completeness complete = (next == null && this.window.cutLines() == 0 && this.window.stopped() == null)
					? Completeness.COMPLETE
					: Completeness.partial(footer(next), (next != null) ? arguments(parameter, next) : null);
			return new ToolResult(text.toString(), data(), null, complete);
		}

		private Map<String, Object> arguments(String parameter, LineRange next) {
			Map<String, Object> arguments = new LinkedHashMap<>();
			arguments.put(parameter, this.path);
			arguments.put("offset", next.firstLine());
			arguments.put("limit", Math.toIntExact(Objects.requireNonNull(next.limit())));
			if (next.firstCharacter() > 0 || this.range.firstCharacter() > 0) {
				arguments.put("column", next.firstCharacter());
			}
			return arguments;
		}

		/**
		 * Returns the range to continue with: the rest of a line, the next lines, or the
		 * rest of a line that was cut; null if there is none.
		 */
		private @Nullable LineRange next() {
			long first = this.range.firstLine();
			if (this.window.nextCharacter() > 0) {
				return characters(first, this.window.nextCharacter());
			}
			long next = first + this.window.lines().size();
			if (this.window.full() && (!this.window.countedToEnd() || next <= this.window.countedLines())) {
				boolean lines = this.range.firstCharacter() == 0;
				return new LineRange(next, (long) (lines ? this.range.maxLines(this.options) : this.options.maxLines()),
						0L);
			}
			return (this.window.firstCutLine() > 0 && this.window.stopped() == null)
					? characters(this.window.firstCutLine(), this.options.maxLineCharacters() + 1) : null;
		}

		private LineRange characters(long line, long column) {
			LineRange asked = (this.range.firstCharacter() > 0) ? this.range : new LineRange(line, null, column);
			return new LineRange(line, (long) asked.maxLineCharacters(this.options), column);
		}

		private Map<String, Object> data() {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("path", this.path);
			data.put("version", this.file.version());
			data.put("size", this.file.size());
			data.put("firstLine", this.range.firstLine());
			data.put("lines", this.window.lines().size());
			data.put("totalLines", this.window.countedToEnd() ? this.window.countedLines() : -1L);
			data.put("charset", this.file.encoding().charset().name());
			data.put("lineEnds", this.window.windowsLineEnds() ? "CRLF" : "LF");
			return data;
		}

		private String footer(@Nullable LineRange next) {
			List<String> notes = new ArrayList<>();
			long first = this.range.firstLine();
			long last = first + this.window.lines().size() - 1;
			String total = (this.window.countedToEnd() ? "" : "more than ")
					+ Phrase.of("%,d", this.window.countedLines());
			if (this.file.size() == 0) {
				notes.add("the file is empty");
			}
			else if (this.window.lines().isEmpty()) {
				notes.add((this.window.stopped() != null) ? Phrase.of("line %,d was not reached", first)
						: Phrase.of("no line %,d: the file has %s lines", first, total));
			}
			else if (this.range.firstCharacter() > 0) {
				notes.add(characters(this.window.lines().get(0).isEmpty(), total));
			}
			else {
				notes.add(Phrase.of("lines %,d-%,d of %s", first, last, total));
			}
			if (next != null && next.firstLine() > last) {
				notes.add(Phrase.of("stopped at %s, continue with offset=%d", this.window.limit(), next.firstLine()));
			}
			else if (next != null && this.window.nextCharacter() > 0) {
				notes.add(Phrase.of("continue with offset=%d, column=%d", first, next.firstCharacter()));
			}
			else if (this.window.stopped() != null) {
				notes.add(Phrase.of("stopped after %s, in line %,d: use a command to see more", this.window.stopped(),
						this.window.countedLines() + 1));
			}
			else if (!this.window.lines().isEmpty()) {
				notes.add("end of file");
			}
			if (this.window.cutLines() > 0) {
				notes.add(Phrase.of("%s cut at %,d characters", Phrase.count(this.window.cutLines(), "line"),
						this.options.maxLineCharacters()));
			}
			if (this.window.escapedLines() > 0) {
				notes.add(Phrase.of(
						"%,d line%s with control characters, shown as \\uXXXX: to edit such a line, give the "
								+ "character itself, which is \\uXXXX in JSON, or a part of the line without it",
						this.window.escapedLines(), Phrase.plural(this.window.escapedLines())));
			}
			if (this.window.replacedBytes()) {
				notes.add("some bytes are no " + this.file.encoding().charset().name() + " and are shown as \uFFFD");
			}
			if (this.file.changed()) {
				notes.add("the file changed while it was read");
			}
			return "(" + String.join("; ", notes) + ")";
		}

		private String characters(boolean none, String total) {
			long first = this.range.firstCharacter();
			String line = Phrase.of("line %,d", this.range.firstLine());
			if (none && this.window.stopped() != null) {
				return Phrase.of("character %,d of %s was not reached", first, line);
			}
			if (none) {
				return Phrase.of("%s of %s ends before character %,d", line, total, first);
			}
			String of = this.window.countedToEnd() ? " of " + total : "";
			String from = Phrase.of("%s%s from character %,d", line, of, first);
			long next = this.window.nextCharacter();
			return (next > 0) ? from + Phrase.of(" to %,d", next - 1) : from + " to its end";
		}

	}

}

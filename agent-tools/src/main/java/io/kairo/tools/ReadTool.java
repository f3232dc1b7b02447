package io.kairo.tools;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of lines of a text file, with line numbers. A directory is listed.
 *
 * @since 0.1.0
 */
public final class ReadTool implements AgentTool {

	private static final int MAX_LINES = 2000;

	private static final String DESCRIPTION = """
			Reads a text file from the workspace. The result has the lines in the style of cat -n: \
			the line number, a tab, the line. Reads up to 2000 lines from the beginning unless offset \
			and limit say otherwise; lines over 2000 characters are cut. The last line of the result \
			says which part was shown and how to go on. A directory is listed.""";

	private final ToolInput<Input> input = new ToolInput<>(Input.class,
			Map.of("path", "file_path", "filePath", "file_path", "filename", "file_path"));

	private final ToolDefinition definition = new ToolDefinition("Read", DESCRIPTION, this.input.schema(),
			ToolAnnotations.READ_ONLY);

	/**
	 * Creates the tool.
	 */
	public ReadTool() {
	}

	@Override
	public ToolDefinition definition() {
		return this.definition;
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		Input input = this.input.bind(arguments);
		WorkspaceFiles files = context.files();
		WorkspacePath path = files.resolve(input.filePath(), context.session().currentDirectory());
		WorkspaceResult<TextFile> opened = TextFile.open(files, path);
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return switch (failure.code()) {
				case IS_A_DIRECTORY -> list(path, input, context);
				case FILE_NOT_FOUND -> missing(path, failure.message(), context);
				default -> ToolResult.failure(failure.code().code(), failure.message(), null);
			};
		}
		TextFile file = opened.value();
		String kind = file.binaryKind();
		if (kind != null) {
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					Phrase.of("'%s' is %s of %,d bytes, not text.", display(path, context), kind, file.size()),
					"Use a command that understands this kind of file.");
		}
		WorkspaceResult<TextFile.Range> range = file.lines(input.firstLine(), input.maxLines(), context.cancellation());
		if (range instanceof WorkspaceResult.Failure<TextFile.Range> failure) {
			return ToolResult.failure(failure.code().code(), failure.message(), null);
		}
		context.session().ledger().record(path, file.version());
		return new Page(display(path, context), input, file, range.value()).result();
	}

	/**
	 * Lists a directory as if its entries were the lines of a file.
	 */
	private static ToolResult list(WorkspacePath directory, Input input, ToolContext context) {
		WorkspaceResult<FileListing> listing = context.files().list(directory, 1);
		if (listing instanceof WorkspaceResult.Failure<FileListing> failure) {
			return ToolResult.failure(failure.code().code(), failure.message(), null);
		}
		List<FileInfo> entries = listing.value().entries();
		List<String> shown = entries.stream()
			.skip(input.firstLine() - 1)
			.limit(Math.min(input.maxLines(), MAX_LINES))
			.map((entry) -> display(entry.path(), context) + ((entry.type() == FileType.DIRECTORY) ? "/" : ""))
			.toList();
		long next = input.firstLine() + shown.size();
		String path = display(directory, context);
		List<String> notes = new ArrayList<>();
		notes.add(Phrase.of("'%s' is a directory with %,d entries", path, entries.size() + listing.value().omitted()));
		if (next <= entries.size()) {
			notes.add(Phrase.of("stopped at entry %,d, continue with offset=%d", next - 1, next));
		}
		if (!listing.value().complete()) {
			notes.add(Phrase.of("%,d cannot be shown: too many, or their names cannot be given as a path",
					listing.value().omitted()));
		}
		String footer = "(" + String.join("; ", notes) + ")";
		Completeness complete = (notes.size() == 1) ? Completeness.COMPLETE : Completeness.partial(footer,
				(next <= entries.size()) ? Map.of("file_path", path, "offset", next, "limit", input.maxLines()) : null);
		return new ToolResult(String.join("\n", shown) + (shown.isEmpty() ? "" : "\n") + footer,
				Map.of("path", path, "type", "directory", "entries", shown), null, complete);
	}

	private static ToolResult missing(WorkspacePath path, String message, ToolContext context) {
		List<WorkspacePath> near = NearNames.of(path, context.files());
		String nextStep = near.isEmpty() ? "Check the path."
				: near.stream()
					.map((name) -> "'" + display(name, context) + "'")
					.collect(Collectors.joining(", ", "Did you mean ", "?"));
		return ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(), message, nextStep);
	}

	private static String display(WorkspacePath path, ToolContext context) {
		return context.files().display(path, context.session().currentDirectory());
	}

	/**
	 * What a range of lines looks like.
	 */
	private record Page(String path, Input input, TextFile file, TextFile.Range range) {

		ToolResult result() {
			LineWindow window = this.range.window();
			StringBuilder text = new StringBuilder();
			long number = this.input.firstLine();
			for (String line : window.lines()) {
				text.append(Phrase.of("%6d\t", number++)).append(line).append('\n');
			}
			long next = nextLine();
			text.append(footer(next));
			Completeness complete = (next < 0 && window.cutLines() == 0) ? Completeness.COMPLETE : Completeness.partial(
					footer(next),
					(next < 0) ? null : Map.of("file_path", this.path, "offset", next, "limit", this.input.maxLines()));
			return new ToolResult(text.toString(), data(), null, complete);
		}

		private Map<String, Object> data() {
			LineWindow window = this.range.window();
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("path", this.path);
			data.put("version", this.file.version());
			data.put("size", this.file.size());
			data.put("firstLine", this.input.firstLine());
			data.put("lines", window.lines().size());
			data.put("totalLines", this.range.countedToEnd() ? window.countedLines() : -1L);
			data.put("charset", this.file.encoding().charset().name());
			data.put("lineEnds", window.windowsLineEnds() ? "CRLF" : "LF");
			return data;
		}

		private String footer(long next) {
			LineWindow window = this.range.window();
			List<String> notes = new ArrayList<>();
			long last = this.input.firstLine() + window.lines().size() - 1;
			String total = (this.range.countedToEnd() ? "" : "more than ") + Phrase.of("%,d", window.countedLines());
			if (this.file.size() == 0) {
				notes.add("the file is empty");
			}
			else if (window.lines().isEmpty()) {
				notes.add(Phrase.of("no line %,d: the file has %s lines", this.input.firstLine(), total));
			}
			else {
				notes.add(Phrase.of("lines %,d-%,d of %s", this.input.firstLine(), last, total));
			}
			if (next >= 0) {
				notes.add(Phrase.of("stopped at %s, continue with offset=%d", window.limit(), next));
			}
			else if (!window.lines().isEmpty()) {
				notes.add("end of file");
			}
			if (window.cutLines() > 0) {
				notes.add(Phrase.of("%,d lines cut at %,d characters", window.cutLines(),
						LineWindow.MAX_LINE_CHARACTERS));
			}
			if (window.replacedBytes()) {
				notes.add("some bytes are no " + this.file.encoding().charset().name() + " and are shown as \uFFFD");
			}
			if (this.file.changed()) {
				notes.add("the file changed while it was read");
			}
			return "(" + String.join("; ", notes) + ")";
		}

		/**
		 * Returns the line to continue with, -1 if there is none.
		 */
		private long nextLine() {
			LineWindow window = this.range.window();
			long next = this.input.firstLine() + window.lines().size();
			return (window.full() && (!this.range.countedToEnd() || next <= window.countedLines())) ? next : -1;
		}

	}

	/**
	 * The arguments.
	 *
	 * @param filePath the file
	 * @param offset the first line, from 1
	 * @param limit how many lines at most
	 */
	@JsonPropertyOrder({ "file_path", "offset", "limit" })
	record Input(@JsonProperty(value = "file_path",
			required = true) @JsonPropertyDescription("The file, relative to the current directory or absolute") String filePath,
			@JsonProperty("offset") @JsonPropertyDescription("The first line to read, counted from 1") @Nullable Long offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many lines to read at most, 2000 by default") @Nullable Long limit) {

		Input {
			if (offset != null && offset < 1) {
				throw new ToolArgumentException("offset is " + offset + ", but lines are counted from 1.",
						"Give an offset of at least 1, or none.");
			}
			if (limit != null && limit < 1) {
				throw new ToolArgumentException("limit is " + limit + ", but at least one line is read.",
						"Give a limit of at least 1, or none.");
			}
		}

		long firstLine() {
			return (this.offset != null) ? this.offset : 1;
		}

		int maxLines() {
			return (this.limit != null) ? (int) Math.min(this.limit, Integer.MAX_VALUE) : MAX_LINES;
		}

	}

}

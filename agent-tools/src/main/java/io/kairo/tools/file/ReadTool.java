package io.kairo.tools.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * The tool that reads a range of lines of a text file, with line numbers. A directory is
 * listed. An image or a PDF document is attached to the result if the context accepts
 * attachments.
 */
public final class ReadTool extends RecordTool<ReadTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("path", OutputSchema.STRING, "Path that was read")
		.optional("version", OutputSchema.STRING, "Version of the file")
		.optional("size", OutputSchema.INTEGER, "Size in bytes")
		.optional("firstLine", OutputSchema.INTEGER, "First line, from 1")
		.optional("lines", OutputSchema.INTEGER, "Number of lines")
		.optional("totalLines", OutputSchema.INTEGER, "Number of lines of the file, -1 if unknown")
		.optional("charset", OutputSchema.STRING, "Charset of the file")
		.optional("lineEnds", OutputSchema.STRING, "Line ends of the file, CRLF or LF")
		.optional("type", OutputSchema.STRING, "The text directory, of a directory")
		.optional("entries", OutputSchema.listOf(OutputSchema.STRING), "Entries of a directory")
		.optional("mediaType", OutputSchema.STRING, "Media type of an attached file")
		.results();

	private static final String DESCRIPTION = """
			Reads a text file as cat -n shows it: the line number, a tab, the line. Use it for a file, or the part of \
			it, that you are going to change.[ {Grep} finds lines in many files.] Returns %,d lines from the first, \
			or limit lines from offset, and %,d characters at most; lines over %,d characters are cut, and column \
			reads on in one. The last line of the result says which part was shown and how to go on. A directory is listed. Images (PNG, JPEG, GIF, \
			WebP) and PDF documents come with the result where the client can show them. @output/ and a number, as \
			results name it, is the rest of a long output.
			file_not_found suggests similar paths. unsupported_file_type: the file is not text.
			Example: {"{file_path}": "src/App.java", "offset": 120, "limit": 40}""";

	/** Other names of parameters. */
	static final Map<String, String> ALIASES = Map.of("path", "file_path", "filePath", "file_path", "filename",
			"file_path");

	private final ReadOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public ReadTool() {
		this(ReadOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public ReadTool(ReadOptions options) {
		super("Read", Phrase.of(DESCRIPTION, options.maxLines(), options.maxCharacters(), options.maxLineCharacters()),
				Input.class, ALIASES, ToolNaming.CLAUDE, Map.of("offset", 1, "limit", options.maxLines()),
				ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		ReadCall call = new ReadCall(input.filePath(), input.range(), this.options, context,
				context.deadline(this.options.deadline()), Phrase::visible,
				(page) -> page.result("file_path", SeenVersion.versionLine(page.file().version(), context)));
		if (call.isOfOutput()) {
			return call.readOutput();
		}
		WorkspacePath path = context.resolve(input.filePath());
		if (context.maxWholeFile() > 0) {
			return call.attach(path);
		}
		WorkspaceResult<TextFile> opened = TextFile.open(context.files(), path);
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return switch (failure.code()) {
				case IS_A_DIRECTORY -> list(path, input.range(), context);
				case FILE_NOT_FOUND -> call.missing(path, failure.message());
				default -> ToolResult.failure(failure);
			};
		}
		TextFile file = opened.value();
		String kind = file.binaryKind();
		if (kind == null) {
			return call.read(path, file);
		}
		String mediaType = BinaryContent.mediaType(kind);
		return (mediaType != null && context.carriesAttachments())
				? new AttachedFile(path, context).result(kind, mediaType, call.deadline())
				: call.notText(path, kind, file);
	}

	/**
	 * Lists a directory as if its entries were the lines of a file.
	 */
	private ToolResult list(WorkspacePath directory, LineRange range, ToolContext context) {
		DirectoryTree tree = new DirectoryTree(context.files(), 1, DirectoryTree.Hidden.LISTED, FileNames.of(List.of()),
				context.deadline(this.options.deadline()));
		WorkspaceResult<DirectoryTree> listing = tree.list(directory, range.firstLine() - 1);
		if (listing instanceof WorkspaceResult.Failure<DirectoryTree> failure) {
			return ToolResult.failure(failure);
		}
		List<String> shown = tree
			.entries(range.firstLine() - 1, Math.min(range.maxLines(this.options), this.options.maxLines()))
			.stream()
			.map((entry) -> context.display(entry.path()) + ((entry.type() == FileType.DIRECTORY) ? "/" : ""))
			.toList();
		long next = range.firstLine() + shown.size();
		boolean more = next <= tree.found() || tree.goesOn();
		String path = context.display(directory);
		List<String> notes = new ArrayList<>();
		notes.add(Phrase.of("'%s' is a directory with %s%s", path, tree.goesOn() ? "more than " : "",
				Phrase.count(tree.found() + tree.omitted(), "entry")));
		if (more) {
			notes.add(Phrase.of("stopped at entry %,d, continue with offset=%d", next - 1, next));
		}
		if (tree.omitted() > 0) {
			notes.add(Phrase.of("%,d cannot be shown: too many, or their names cannot be given as a path",
					tree.omitted()));
		}
		String footer = "(" + String.join("; ", notes) + ")";
		Completeness complete = (notes.size() == 1) ? Completeness.COMPLETE : Completeness.partial(footer,
				more ? Map.of("file_path", path, "offset", next, "limit", range.maxLines(this.options)) : null);
		return new ToolResult(String.join("\n", shown) + (shown.isEmpty() ? "" : "\n") + footer,
				Map.of("path", path, "type", "directory", "entries", shown), null, complete);
	}

	/**
	 * The arguments.
	 *
	 * @param filePath the file
	 * @param offset the first line, from 1
	 * @param limit the maximum number of lines, or of characters
	 * @param column the first character of the line at the offset, from 1
	 */
	@JsonPropertyOrder({ "file_path", "offset", "limit", "column" })
	record Input(@JsonProperty(value = "file_path",
			required = true) @JsonPropertyDescription("The file: a relative path, or one as results show it") String filePath,
			@JsonProperty("offset") @JsonPropertyDescription("The first line to read, counted from 1") @Nullable Long offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many lines to read at most") @Nullable Long limit,
			@JsonProperty(value = "column",
					defaultValue = "0") @JsonPropertyDescription("The character to read from in the line at offset; limit then counts characters") @Nullable Integer column) {

		Input {
			range(offset, limit, column);
		}

		LineRange range() {
			return range(this.offset, this.limit, this.column);
		}

		private static LineRange range(@Nullable Long offset, @Nullable Long limit, @Nullable Integer column) {
			return new LineRange(offset, limit, (column != null) ? column.longValue() : null);
		}

	}

}

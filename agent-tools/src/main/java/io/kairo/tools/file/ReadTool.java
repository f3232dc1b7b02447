package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
import io.kairo.tools.Completeness;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInput;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * Reads a range of lines of a text file, with line numbers. A directory is listed. An
 * image or a PDF document comes with the result where the context carries it.
 *
 * @since 0.1.0
 */
public final class ReadTool extends RecordTool<ReadTool.Input> {

	private static final String DESCRIPTION = """
			Reads a text file from the workspace. The result has the lines in the style of cat -n: \
			the line number, a tab, the line. Reads up to %d lines from the beginning unless offset \
			and limit say otherwise; lines over %d characters are cut. The last line of the result \
			says which part was shown and how to go on. %s@output/ and a number \
			is the output of a command that was too long for its result.""";

	private static final String DIRECTORIES_AND_IMAGES = """
			A directory is listed. Images (PNG, JPEG, GIF, WebP) and PDF documents come with the result \
			where the client can show them.\s""";

	private static final Map<String, String> ALIASES = Map.of("path", "file_path", "filePath", "file_path", "filename",
			"file_path");

	private final ReadOptions options;

	private final ToolNaming naming;

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
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming what it and its parameters are called
	 */
	public ReadTool(ReadOptions options, ToolNaming naming) {
		super(naming.tool("Read"),
				Phrase.of(DESCRIPTION, options.maxLines(), options.maxLineCharacters(),
						(naming == ToolNaming.CLAUDE) ? DIRECTORIES_AND_IMAGES : ""),
				new ToolInput<>(Input.class, ALIASES, naming, Set.of()), ToolAnnotations.READ_ONLY);
		this.options = options;
		this.naming = naming;
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		Input input = bind(arguments);
		if (input.filePath().startsWith(OutputFiles.PREFIX)) {
			return readOutput(input, context);
		}
		WorkspaceFiles files = context.files();
		WorkspacePath path = context.resolve(input.filePath());
		boolean whole = this.naming == ToolNaming.SNAKE_CASE && input.isWhole();
		WorkspaceResult<TextFile> opened = whole
				? WholeFile.read(files, path, this.options.maxWholeBytes()).map((file) -> TextFile.of(path, file))
				: TextFile.open(files, path);
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return switch (failure.code()) {
				case IS_A_DIRECTORY ->
					(this.naming == ToolNaming.CLAUDE) ? list(path, input, context) : ToolResult.failure(failure);
				case FILE_NOT_FOUND -> missing(path, failure.message(), context);
				case TOO_LARGE -> ToolResult.failure(
						failure.code().code(), Phrase.of("'%s' has more than the %,d bytes that are read at once.",
								context.display(path), this.options.maxWholeBytes()),
						"Read it in parts, with offset and limit.");
				default -> ToolResult.failure(failure);
			};
		}
		TextFile file = opened.value();
		String kind = file.binaryKind();
		if (kind != null && !(this.naming == ToolNaming.SNAKE_CASE && isUtf8(file))) {
			String mediaType = BinaryContent.mediaType(kind);
			if (mediaType != null && this.naming == ToolNaming.CLAUDE && context.carriesAttachments()) {
				return new AttachedFile(path, kind, mediaType, context).result();
			}
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					Phrase.of("'%s' is %s of %,d bytes, not text.", context.display(path), kind, file.size()),
					"Use a command that understands this kind of file.");
		}
		ToolResult result = page(context.display(path), file, input, context);
		if (result.error() == null) {
			byte[] content = file.wholeContent();
			if (content != null) {
				context.session().ledger().record(path, file.version(), content);
			}
			else {
				context.session().ledger().record(path, file.version());
			}
		}
		return result;
	}

	/**
	 * Reads the output of a command, which is not in the workspace.
	 */
	private ToolResult readOutput(Input input, ToolContext context) {
		OutputFiles files = new OutputFiles(context.files(), context.session().outputs(), input.filePath());
		WorkspaceResult<TextFile> opened = TextFile.open(files, files.path());
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return ToolResult.failure(failure.code().code(), failure.message() + ".",
					"Run the command again; a file of that name is './" + input.filePath() + "'.");
		}
		return page(input.filePath(), opened.value(), input, context);
	}

	private ToolResult page(String path, TextFile file, Input input, ToolContext context) {
		int maxLines = input.maxLines(this.options);
		WorkspaceResult<TextFile.Range> range = file.lines(input.firstLine(), maxLines, this.options,
				context.cancellation());
		if (range instanceof WorkspaceResult.Failure<TextFile.Range> failure) {
			return ToolResult.failure(failure);
		}
		if (context.cancellation().isCancelled()) {
			return ToolResult.cancelled("The reading was cancelled.");
		}
		ReadPage page = new ReadPage(path, input.firstLine(), maxLines, this.options, file, range.value());
		return (this.naming == ToolNaming.SNAKE_CASE) ? page.contentResult(input.isWhole())
				: page.result(SeenVersion.line(file.version(), context));
	}

	/**
	 * Returns whether all bytes are UTF-8, so that they are a text, whatever else they
	 * are.
	 */
	private static boolean isUtf8(TextFile file) {
		return file.wholeContent() != null && file.encoding().charset().equals(StandardCharsets.UTF_8);
	}

	/**
	 * Lists a directory as if its entries were the lines of a file.
	 */
	private ToolResult list(WorkspacePath directory, Input input, ToolContext context) {
		WorkspaceResult<FileListing> listing = context.files().list(directory, 1);
		if (listing instanceof WorkspaceResult.Failure<FileListing> failure) {
			return ToolResult.failure(failure);
		}
		List<FileInfo> entries = listing.value().entries();
		List<String> shown = entries.stream()
			.skip(input.firstLine() - 1)
			.limit(Math.min(input.maxLines(this.options), this.options.maxLines()))
			.map((entry) -> context.display(entry.path()) + ((entry.type() == FileType.DIRECTORY) ? "/" : ""))
			.toList();
		long next = input.firstLine() + shown.size();
		String path = context.display(directory);
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
		Completeness complete = (notes.size() == 1) ? Completeness.COMPLETE
				: Completeness.partial(footer, (next <= entries.size())
						? Map.of("file_path", path, "offset", next, "limit", input.maxLines(this.options)) : null);
		return new ToolResult(String.join("\n", shown) + (shown.isEmpty() ? "" : "\n") + footer,
				Map.of("path", path, "type", "directory", "entries", shown), null, complete);
	}

	private static ToolResult missing(WorkspacePath path, String message, ToolContext context) {
		List<WorkspacePath> near = NearNames.of(path, context.files());
		String nextStep = near.isEmpty() ? "Check the path."
				: near.stream()
					.map((name) -> "'" + context.display(name) + "'")
					.collect(Collectors.joining(", ", "Did you mean ", "?"));
		return ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(), message, nextStep);
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
				throw ToolArgumentException.of("offset", "is " + offset + ", but lines are counted from 1.",
						"Give an offset of at least 1, or none.");
			}
			if (limit != null && limit < 1) {
				throw ToolArgumentException.of("limit", "is " + limit + ", but at least one line is read.",
						"Give a limit of at least 1, or none.");
			}
		}

		boolean isWhole() {
			return this.offset == null && this.limit == null;
		}

		long firstLine() {
			return (this.offset != null) ? this.offset : 1;
		}

		int maxLines(ReadOptions options) {
			return (this.limit != null) ? (int) Math.min(this.limit, Integer.MAX_VALUE) : options.maxLines();
		}

	}

}

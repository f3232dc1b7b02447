package io.kairo.tools.file;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;

/**
 * The tool {@code read_file}. Its data are {@code content} alone: the whole file unless
 * the call names a range of lines. A file whose bytes are UTF-8 is text, even if it
 * starts like another format; directories, images and documents are refused.
 */
public final class ReadFileTool extends RecordTool<ReadTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("content", OutputSchema.STRING, "Content of the file")
		.results();

	private static final String DESCRIPTION = """
			Reads a text file as cat -n shows it: the line number, a tab, the line. Use it for a file, or the part of \
			it, that you are going to change.[ {Grep} finds lines in many files.] Returns %,d lines from the first, \
			or limit lines from offset, and %,d characters at most; lines over %,d characters are cut, and column \
			reads on in one. The last line of the result says which part was shown and how to go on. @output/ and a \
			number, as results name it, is the rest of a long output.
			file_not_found suggests similar paths. unsupported_file_type: a directory, or not text. too_large: use \
			offset and limit.
			Example: {"{file_path}": "src/App.java", "offset": 120, "limit": 40}""";

	/** The heap that a call needs to return a whole file, as a multiple of its size. */
	private static final int HEAP_FACTOR = 6;

	private final ReadOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public ReadFileTool() {
		this(ReadOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public ReadFileTool(ReadOptions options) {
		super("read_file",
				Phrase.of(DESCRIPTION, options.maxLines(), options.maxCharacters(), options.maxLineCharacters()),
				ReadTool.Input.class, ReadTool.ALIASES, ToolNaming.SNAKE_CASE, Map.of(), ToolAnnotations.READ_ONLY,
				OUTPUT, ToolDefinition.Answer.DATA);
		this.options = options;
	}

	@Override
	protected ToolResult call(ReadTool.Input input, ToolContext context) {
		LineRange range = input.range();
		ReadCall call = new ReadCall(input.filePath(), range, this.options, context,
				context.deadline(this.options.deadline()), UnaryOperator.identity(),
				(page) -> page.contentResult("path", range.isWhole()));
		if (call.isOfOutput()) {
			return call.readOutput();
		}
		WorkspacePath path = context.resolve(input.filePath());
		if (context.maxWholeFile() > 0) {
			return call.attach(path);
		}
		return range.isWhole()
				? WholeFile.holding(path, HEAP_FACTOR, call.deadline(), context, () -> read(call, path, range, context))
				: read(call, path, range, context);
	}

	private ToolResult read(ReadCall call, WorkspacePath path, LineRange range, ToolContext context) {
		WorkspaceResult<TextFile> opened = range.isWhole()
				? WholeFile.read(context.files(), path, this.options.maxWholeBytes())
					.map((file) -> TextFile.of(path, file))
				: TextFile.open(context.files(), path);
		if (opened instanceof WorkspaceResult.Failure<TextFile> failure) {
			return switch (failure.code()) {
				case FILE_NOT_FOUND -> call.missing(path, failure.message());
				case TOO_LARGE -> ToolResult.failure(
						failure.code().code(), Phrase.of("'%s' has more than the %,d bytes that are read at once.",
								context.display(path), this.options.maxWholeBytes()),
						"Read it in parts, with offset and limit.");
				default -> ToolResult.failure(failure);
			};
		}
		TextFile file = opened.value();
		String kind = file.binaryKind();
		return (kind == null || isUtf8(file)) ? call.read(path, file) : call.notText(path, kind, file);
	}

	/**
	 * Returns whether all bytes are known and are UTF-8.
	 */
	private static boolean isUtf8(TextFile file) {
		return file.wholeContent() != null && file.encoding().charset().equals(StandardCharsets.UTF_8);
	}

}

package io.kairo.tools.file;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * The tool that describes a file, a directory or the whole workspace.
 */
public final class InfoTool extends RecordTool<InfoTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.optional("path", OutputSchema.STRING, "Path of the file")
		.optional("type", OutputSchema.STRING, "Type of the file")
		.optional("modified", OutputSchema.STRING, "Time of the last modification")
		.optional("mode", OutputSchema.STRING, "Permissions")
		.optional("size", OutputSchema.INTEGER, "Size in bytes")
		.optional("version", OutputSchema.STRING, "Version of the file")
		.optional("entries", OutputSchema.INTEGER, "Number of entries of a directory")
		.optional("content", OutputSchema.STRING, "Kind of a file that is not text")
		.optional("charset", OutputSchema.STRING, "Charset of the file")
		.optional("byteOrderMark", OutputSchema.BOOLEAN, "Whether the file has a byte order mark")
		.optional("lines", OutputSchema.INTEGER, "Number of lines")
		.optional("lineEnds", OutputSchema.STRING, "Line ends of the file")
		.optional("endsWithLineEnd", OutputSchema.BOOLEAN, "Whether the last line has a line end")
		.optional("fileCount", OutputSchema.INTEGER, "Number of files of the workspace")
		.optional("dirCount", OutputSchema.INTEGER, "Number of directories of the workspace")
		.optional("totalSize", OutputSchema.INTEGER, "Size of the workspace in bytes")
		.optional("lastModified", OutputSchema.STRING, "Time of the last modification in the workspace")
		.optional("links", OutputSchema.INTEGER, "Number of links that were not followed")
		.optional("unreadable", OutputSchema.INTEGER, "Number of entries that cannot be read")
		.results();

	private static final String DESCRIPTION = """
			Describes a file or a directory: type, size, mode, when it was last modified; of a text file also \
			charset, line ends, number of lines and version. Use it where the content itself is not needed. Without a \
			path it counts the files and directories of the whole workspace, hidden and ignored ones too, and adds up \
			their size. Counting ends after %,d ms; the result then says what is missing.
			Example: {"path": "data/export.csv"}""";

	private static final Map<String, String> ALIASES = Map.of("file_path", "path", "filePath", "path", "filename",
			"path");

	private final InfoOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public InfoTool() {
		this(InfoOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public InfoTool(InfoOptions options) {
		super("Info", Phrase.of(DESCRIPTION, options.deadline().toMillis()), Input.class, ALIASES, ToolNaming.CLAUDE,
				Map.of(), ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return (input.path() == null) ? WorkspaceCount.report(this.options, context, InfoTool::workspace)
				: entry(input.path(), context);
	}

	private ToolResult entry(String argument, ToolContext context) {
		return InfoReport.within(this.options, context, (over) -> entry(argument, context, over));
	}

	private static Map<String, Object> workspace(WorkspaceCount count) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("fileCount", count.files());
		data.put("dirCount", count.directories());
		data.put("totalSize", count.size());
		Instant modified = count.lastModified();
		if (modified != null) {
			data.put("lastModified", modified.toString());
		}
		data.put("links", count.links());
		data.put("unreadable", count.unreadable());
		return data;
	}

	private static ToolResult entry(String argument, ToolContext context, BooleanSupplier over) {
		WorkspaceFiles files = context.files();
		WorkspacePath path = context.resolveOptional(argument);
		WorkspaceResult<FileInfo> found = files.info(path);
		if (found instanceof WorkspaceResult.Failure<FileInfo> failure) {
			return ToolResult.failure(failure.code().code(), failure.message(), NearNames.question(path, context));
		}
		FileInfo info = found.value();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", context.display(path));
		data.put("type", ListTool.type(info));
		data.put("modified", info.modified().toString());
		if (info.mode() != null) {
			data.put("mode", info.mode());
		}
		String left = "";
		if (info.type() == FileType.FILE) {
			data.put("size", info.size());
			left = describeText(files, path, data, over);
			if (info.version() != null) {
				data.put("version", info.version());
			}
		}
		else if (info.type() == FileType.DIRECTORY) {
			WorkspaceResult<FileListing> listing = files.list(path, 1);
			if (listing instanceof WorkspaceResult.Ok<FileListing> ok) {
				data.put("entries", ok.value().entries().size() + ok.value().omitted());
			}
		}
		return InfoReport.of(data, left);
	}

	/**
	 * Adds the facts about the text of a file.
	 * @return the reason why something is left out, empty if nothing is
	 */
	private static String describeText(WorkspaceFiles files, WorkspacePath path, Map<String, Object> data,
			BooleanSupplier over) {
		WorkspaceResult<FileContent> start = files.read(path, 0, FileContent.HASHED_SIZE);
		if (start instanceof WorkspaceResult.Failure<FileContent> failure) {
			return failure.message();
		}
		TextEncoding encoding = TextEncoding.detect(start.value().bytes(), start.value().atEnd());
		String kind = BinaryContent.kind(start.value().bytes(), encoding);
		if (kind != null) {
			data.put("content", kind);
			return "";
		}
		data.put("charset", encoding.charset().name());
		data.put("byteOrderMark", encoding.bomLength() > 0);
		WorkspaceResult<LineEnds> counted = LineEnds.count(files, path, encoding, over);
		if (counted instanceof WorkspaceResult.Failure<LineEnds> failure) {
			return failure.message();
		}
		data.put("lines", counted.value().lines());
		data.put("lineEnds", counted.value().style());
		data.put("endsWithLineEnd", counted.value().endsWithLineEnd());
		return "";
	}

	/**
	 * The arguments.
	 *
	 * @param path a file or directory, null for the whole workspace
	 */
	@JsonPropertyOrder({ "path" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The file or directory; without it, the whole workspace") @Nullable String path) {

	}

}

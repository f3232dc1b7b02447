package io.kairo.tools.file;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

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
import io.kairo.tools.Completeness;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInput;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.BinaryContent;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.text.TextEncoding;
import org.jspecify.annotations.Nullable;

/**
 * Describes a file, a directory or the whole workspace.
 *
 * @since 0.1.0
 */
public final class InfoTool extends RecordTool<InfoTool.Input> {

	private static final String DESCRIPTION = """
			Describes a file or a directory: type, size, mode, when it was last modified; of a text file also \
			charset, line ends, number of lines and version. Without a path it counts the files and directories \
			of the whole workspace, hidden and ignored ones too, and adds up their size.""";

	private static final String COUNTS_DESCRIPTION = """
			Counts the files and directories of the whole workspace, hidden and ignored ones too, adds up their \
			size and says when a file was last modified.""";

	private static final Map<String, String> ALIASES = Map.of("file_path", "path", "filePath", "path", "filename",
			"path");

	private final ToolNaming naming;

	private final InfoOptions options;

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public InfoTool(InfoOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming what it and its parameters are called
	 */
	public InfoTool(InfoOptions options, ToolNaming naming) {
		super(naming.tool("Info"), (naming == ToolNaming.SNAKE_CASE) ? COUNTS_DESCRIPTION : DESCRIPTION, input(naming),
				ToolAnnotations.READ_ONLY);
		this.options = options;
		this.naming = naming;
	}

	private static ToolInput<Input> input(ToolNaming naming) {
		return (naming == ToolNaming.SNAKE_CASE) ? new ToolInput<>(Input.class, Map.of(), naming, Set.of("path"))
				: new ToolInput<>(Input.class, ALIASES, naming, Set.of());
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		Input input = bind(arguments);
		long end = System.nanoTime() + bounded(this.options.deadline()).toNanos();
		BooleanSupplier over = () -> System.nanoTime() - end > 0 || context.cancellation().isCancelled();
		ToolResult result = (input.path() == null) ? workspace(context, over) : entry(input.path(), context, over);
		return context.cancellation().isCancelled() ? ToolResult.cancelled("The search was cancelled.") : result;
	}

	private ToolResult workspace(ToolContext context, BooleanSupplier over) {
		WorkspaceResult<WorkspaceCount> counted = WorkspaceCount.of(context.files(), context.currentWorkspace().roots(),
				over);
		if (counted instanceof WorkspaceResult.Failure<WorkspaceCount> failure) {
			return ToolResult.failure(failure);
		}
		WorkspaceCount count = counted.value();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("fileCount", count.files());
		data.put("dirCount", count.directories());
		data.put("totalSize", count.size());
		Instant modified = count.lastModified();
		if (this.naming == ToolNaming.SNAKE_CASE) {
			data.put("lastModified", Objects.requireNonNullElse(modified, Instant.EPOCH).toString());
		}
		else {
			if (modified != null) {
				data.put("lastModified", modified.toString());
			}
			data.put("links", count.links());
			data.put("unreadable", count.unreadable());
		}
		String left = count.isStopped()
				? Phrase.of("stopped after %,d seconds: there is more", this.options.deadline().toSeconds())
				: (count.unreadable() > 0) ? Phrase.of("%,d entries could not be read", count.unreadable()) : "";
		return new ToolResult(lines(data) + (left.isEmpty() ? "" : "\n(" + left + ")"), data, null,
				left.isEmpty() ? Completeness.COMPLETE : Completeness.partial(left, null));
	}

	private ToolResult entry(String argument, ToolContext context, BooleanSupplier over) {
		WorkspaceFiles files = context.files();
		WorkspacePath path = context.resolve(argument);
		WorkspaceResult<FileInfo> found = files.info(path);
		if (found instanceof WorkspaceResult.Failure<FileInfo> failure) {
			List<WorkspacePath> near = NearNames.of(path, files);
			return ToolResult.failure(failure.code().code(), failure.message(),
					near.isEmpty() ? null
							: near.stream()
								.map((name) -> "'" + context.display(name) + "'")
								.collect(Collectors.joining(", ", "Did you mean ", "?")));
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
		return new ToolResult(lines(data) + (left.isEmpty() ? "" : "\n(" + left + ")"), data, null,
				left.isEmpty() ? Completeness.COMPLETE : Completeness.partial(left, null));
	}

	/**
	 * Adds what there is to say of the text of a file.
	 * @return why something is left out, empty if nothing is
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

	private static String lines(Map<String, Object> data) {
		return data.entrySet()
			.stream()
			.map((fact) -> fact.getKey() + ": " + Phrase.visible(String.valueOf(fact.getValue())))
			.collect(Collectors.joining("\n"));
	}

	private static Duration bounded(Duration deadline) {
		return (deadline.compareTo(Duration.ofDays(1)) < 0) ? deadline : Duration.ofDays(1);
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

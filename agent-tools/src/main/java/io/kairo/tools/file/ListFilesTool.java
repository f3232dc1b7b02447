package io.kairo.tools.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool {@code list_files}. Its data are {@code files} alone: every entry, hidden ones
 * too, by its name below the directory that is listed.
 */
public final class ListFilesTool extends RecordTool<ListFilesTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema().required("files",
			OutputSchema.listOf(new OutputSchema().required("name", OutputSchema.STRING, "Name below the directory")
				.required("type", OutputSchema.STRING, "Type of the entry")
				.required("size", OutputSchema.INTEGER, "Size in bytes, 0 unless it is a file")
				.object()),
			"Entries of the directory")
		.results();

	private static final String DESCRIPTION = """
			Lists a directory: one entry a line, directories with a slash at the end, files with their size. Use it \
			to look around.[ {Glob} finds files by name.] depth lists directories in it too. ignore leaves out what \
			matches one of its globs. Returns %,d entries, or limit, %,d at most; the last line says how to go on.
			Example: {"path": "src", "depth": 2, "ignore": ["node_modules"]}""";

	private final ListOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public ListFilesTool() {
		this(ListOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public ListFilesTool(ListOptions options) {
		super("list_files", Phrase.of(DESCRIPTION, options.limit(), options.maxLimit()), Input.class, ListTool.ALIASES,
				ToolNaming.SNAKE_CASE, Map.of("depth", options.depth(), "limit", options.limit()),
				ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.DATA);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return input.call()
			.perform(this.options, context, (page) -> Map.of("files",
					page.shown().stream().map((entry) -> file(entry, page.tree().directory(), context)).toList()));
	}

	private static Map<String, Object> file(FileInfo entry, WorkspacePath directory, ToolContext context) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("name", context.files().display(entry.path(), directory));
		data.put("type", ListTool.type(entry));
		data.put("size", (entry.type() == FileType.FILE) ? entry.size() : 0L);
		return data;
	}

	/**
	 * The arguments.
	 *
	 * @param path the directory
	 * @param depth the number of levels
	 * @param ignore globs of entries to leave out
	 * @param offset the number of entries to pass over
	 * @param limit the maximum number of entries
	 */
	@JsonPropertyOrder({ "path", "depth", "ignore", "offset", "limit" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The directory: a relative path, or one as results show it; by default the one where relative paths start") @Nullable String path,
			@JsonProperty("depth") @JsonPropertyDescription("How many levels to list") @Nullable Integer depth,
			@JsonProperty("ignore") @JsonPropertyDescription("Globs of entries to leave out, such as node_modules") @Nullable List<String> ignore,
			@JsonProperty(value = "offset",
					defaultValue = "0") @JsonPropertyDescription("How many entries to pass over, to continue a result") @Nullable Integer offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many entries to return at most") @Nullable Integer limit) {

		ListCall call() {
			return new ListCall(this.path, this.depth, DirectoryTree.Hidden.LISTED, this.ignore, this.offset,
					this.limit);
		}

	}

}

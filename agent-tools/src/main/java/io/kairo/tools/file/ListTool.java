package io.kairo.tools.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileInfo;
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
 * The tool that lists a directory.
 */
public final class ListTool extends RecordTool<ListTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("path", OutputSchema.STRING, "Path of the directory")
		.required("entries",
				OutputSchema.listOf(new OutputSchema().required("path", OutputSchema.STRING, "Path of the entry")
					.required("type", OutputSchema.STRING, "Type of the entry")
					.required("size", OutputSchema.INTEGER, "Size in bytes")
					.required("modified", OutputSchema.STRING, "Time of the last modification")
					.object()),
				"Entries of this page")
		.required("total", OutputSchema.INTEGER, "Number of entries that were found")
		.required("hidden", OutputSchema.INTEGER, "Number of hidden entries")
		.required("ignored", OutputSchema.INTEGER, "Number of entries that were left out")
		.required("omitted", OutputSchema.INTEGER, "Number of entries that cannot be shown")
		.results();

	private static final String DESCRIPTION = """
			Lists a directory: one entry a line, directories with a slash at the end, files with their size. Use it \
			to look around.[ {Glob} finds files by name.] depth lists directories in it too. Entries whose name \
			begins with a dot are counted and not shown unless hidden is true. ignore leaves out what matches one of \
			its globs. Returns %,d entries, or limit, %,d at most; the last line says how to go on.
			Example: {"path": "src", "depth": 2, "ignore": ["node_modules"]}""";

	/** Other names of parameters. */
	static final Map<String, String> ALIASES = Map.of("directory", "path", "dir", "path", "max_depth", "depth",
			"head_limit", "limit");

	private final ListOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public ListTool() {
		this(ListOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public ListTool(ListOptions options) {
		super("List", Phrase.of(DESCRIPTION, options.limit(), options.maxLimit()), Input.class, ALIASES,
				ToolNaming.CLAUDE, Map.of("depth", options.depth(), "limit", options.limit()),
				ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return input.call().perform(this.options, context, (page) -> data(page, context));
	}

	private static Map<String, Object> data(ListCall.Page page, ToolContext context) {
		DirectoryTree tree = page.tree();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", context.display(page.directory()));
		data.put("entries", page.shown().stream().map((entry) -> entry(entry, context)).toList());
		data.put("total", tree.found());
		data.put("hidden", tree.hiddenEntries());
		data.put("ignored", tree.ignoredEntries());
		data.put("omitted", tree.omitted() + tree.unreadable());
		return data;
	}

	private static Map<String, Object> entry(FileInfo entry, ToolContext context) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", context.display(entry.path()));
		data.put("type", type(entry));
		data.put("size", entry.size());
		data.put("modified", entry.modified().toString());
		return data;
	}

	static String type(FileInfo entry) {
		return entry.type().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The arguments.
	 *
	 * @param path the directory
	 * @param depth the number of levels
	 * @param hidden whether hidden entries are shown
	 * @param ignore globs of entries to leave out
	 * @param offset the number of entries to pass over
	 * @param limit the maximum number of entries
	 */
	@JsonPropertyOrder({ "path", "depth", "hidden", "ignore", "offset", "limit" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The directory: a relative path, or one as results show it; by default the one where relative paths start") @Nullable String path,
			@JsonProperty("depth") @JsonPropertyDescription("How many levels to list") @Nullable Integer depth,
			@JsonProperty(value = "hidden",
					defaultValue = "false") @JsonPropertyDescription("Show entries whose name begins with a dot") @Nullable Boolean hidden,
			@JsonProperty("ignore") @JsonPropertyDescription("Globs of entries to leave out, such as node_modules") @Nullable List<String> ignore,
			@JsonProperty(value = "offset",
					defaultValue = "0") @JsonPropertyDescription("How many entries to pass over, to continue a result") @Nullable Integer offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many entries to return at most") @Nullable Integer limit) {

		ListCall call() {
			return new ListCall(this.path, this.depth,
					Boolean.TRUE.equals(this.hidden) ? DirectoryTree.Hidden.LISTED : DirectoryTree.Hidden.COUNTED,
					this.ignore, this.offset, this.limit);
		}

	}

}

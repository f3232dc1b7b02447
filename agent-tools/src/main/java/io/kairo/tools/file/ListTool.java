package io.kairo.tools.file;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
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
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.FileNames;
import io.kairo.workspace.search.SearchPatternException;
import org.jspecify.annotations.Nullable;

/**
 * Lists a directory.
 *
 * @since 0.1.0
 */
public final class ListTool extends RecordTool<ListTool.Input> {

	private static final String DESCRIPTION = """
			Lists a directory: one entry a line, directories with a slash at the end, files with their size. \
			depth lists directories in it too. Entries whose name begins with a dot are counted and not shown \
			unless hidden is true. ignore leaves out what matches one of its globs.""";

	private static final String WHOLE_DESCRIPTION = """
			Lists a directory: one entry a line, directories with a slash at the end, files with their size. \
			depth lists directories in it too. ignore leaves out what matches one of its globs.""";

	private static final Map<String, String> ALIASES = Map.of("directory", "path", "dir", "path", "max_depth", "depth",
			"head_limit", "limit");

	private final ToolNaming naming;

	private final ListOptions options;

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public ListTool(ListOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming what it and its parameters are called
	 */
	public ListTool(ListOptions options, ToolNaming naming) {
		super(naming.tool("List"), (naming == ToolNaming.SNAKE_CASE) ? WHOLE_DESCRIPTION : DESCRIPTION,
				new ToolInput<>(Input.class, ALIASES, naming,
						(naming == ToolNaming.SNAKE_CASE) ? Set.of("hidden") : Set.of()),
				ToolAnnotations.READ_ONLY);
		this.options = options;
		this.naming = naming;
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		Input input = bind(arguments);
		WorkspacePath directory = context.resolve(input.path());
		FileNames ignored;
		try {
			ignored = FileNames.of((input.ignore() != null) ? input.ignore() : List.of());
		}
		catch (SearchPatternException ex) {
			throw new ToolArgumentException(String.valueOf(ex.getMessage()), "Correct the parameter 'ignore'.");
		}
		DirectoryTree tree = new DirectoryTree(context.files(),
				(input.depth() != null) ? input.depth() : this.options.depth(),
				(this.naming == ToolNaming.SNAKE_CASE || Boolean.TRUE.equals(input.hidden()))
						? DirectoryTree.Hidden.LISTED : DirectoryTree.Hidden.COUNTED,
				ignored, context.cancellation());
		WorkspaceResult<DirectoryTree> listed = tree.list(directory);
		if (context.cancellation().isCancelled()) {
			return ToolResult.cancelled("The search was cancelled.");
		}
		if (listed instanceof WorkspaceResult.Failure<DirectoryTree> failure) {
			return ToolResult.failure(failure);
		}
		return result(arguments, input, directory, tree, context);
	}

	private ToolResult result(Map<String, Object> arguments, Input input, WorkspacePath directory, DirectoryTree tree,
			ToolContext context) {
		int offset = (input.offset() != null) ? input.offset() : 0;
		int limit = (input.limit() != null) ? Math.min(input.limit(), this.options.maxLimit()) : this.options.limit();
		List<FileInfo> shown = tree.entries().stream().skip(offset).limit(limit).toList();
		int next = offset + shown.size();
		boolean more = next < tree.entries().size();
		StringBuilder text = new StringBuilder();
		List<Map<String, Object>> entries = new ArrayList<>();
		for (FileInfo entry : shown) {
			String path = context.display(entry.path());
			text.append(path).append(suffix(entry)).append('\n');
			entries.add((this.naming == ToolNaming.SNAKE_CASE) ? file(entry, directory) : entry(entry, path));
		}
		String path = context.display(directory);
		String footer = "(" + String.join("; ", notes(path, tree, more, next)) + ")";
		Map<String, Object> data = new LinkedHashMap<>();
		if (this.naming == ToolNaming.SNAKE_CASE) {
			data.put("files", entries);
		}
		else {
			data.put("path", path);
			data.put("entries", entries);
			data.put("total", (long) tree.entries().size());
			data.put("hidden", tree.hiddenEntries());
			data.put("ignored", tree.ignoredEntries());
			data.put("omitted", tree.omitted() + tree.unreadable());
		}
		boolean complete = !more && tree.omitted() == 0 && tree.unreadable() == 0;
		Map<String, Object> again = new LinkedHashMap<>();
		arguments.forEach((name, value) -> {
			if (value != null) {
				again.put(name, value);
			}
		});
		again.put("offset", next);
		return new ToolResult(text + footer, data, null,
				complete ? Completeness.COMPLETE : Completeness.partial(footer, more ? again : null));
	}

	private static Map<String, Object> entry(FileInfo entry, String path) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", path);
		data.put("type", type(entry));
		data.put("size", entry.size());
		data.put("modified", entry.modified().toString());
		return data;
	}

	/**
	 * Describes an entry by its name below the directory that is listed.
	 */
	private static Map<String, Object> file(FileInfo entry, WorkspacePath directory) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("name", entry.path().relative().substring(directory.isRoot() ? 0 : directory.relative().length() + 1));
		data.put("type", type(entry));
		data.put("size", (entry.type() == FileType.FILE) ? entry.size() : 0L);
		return data;
	}

	private static List<String> notes(String path, DirectoryTree tree, boolean more, int next) {
		List<String> notes = new ArrayList<>();
		int total = tree.entries().size();
		notes.add((total == 0) ? Phrase.of("nothing in '%s'", path)
				: Phrase.of("%,d entr%s in '%s'", total, (total == 1) ? "y" : "ies", path));
		if (more) {
			notes.add(Phrase.of("stopped at entry %,d, continue with offset=%d", next, next));
		}
		if (tree.hiddenEntries() > 0) {
			notes.add(Phrase.of("%,d hidden not shown", tree.hiddenEntries()));
		}
		if (tree.ignoredEntries() > 0) {
			notes.add(Phrase.of("%,d left out by ignore", tree.ignoredEntries()));
		}
		if (tree.unreadable() > 0) {
			notes.add(Phrase.of("%,d director%s not readable", tree.unreadable(),
					(tree.unreadable() == 1) ? "y" : "ies"));
		}
		if (tree.omitted() > 0) {
			notes.add(Phrase.of("at least %,d cannot be shown: too many, or their names cannot be given as a path",
					tree.omitted()));
		}
		return notes;
	}

	private static String suffix(FileInfo entry) {
		return switch (entry.type()) {
			case DIRECTORY -> "/";
			case FILE -> Phrase.of("\t%,d byte%s", entry.size(), Phrase.plural(entry.size()));
			case LINK -> "\tlink";
			case OTHER -> "\tno regular file";
		};
	}

	static String type(FileInfo entry) {
		return entry.type().name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The arguments.
	 *
	 * @param path the directory
	 * @param depth how many levels
	 * @param hidden whether hidden entries are shown
	 * @param ignore globs of what is left out
	 * @param offset how many entries to pass over
	 * @param limit how many entries at most
	 */
	@JsonPropertyOrder({ "path", "depth", "hidden", "ignore", "offset", "limit" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The directory, by default the current one") @Nullable String path,
			@JsonProperty("depth") @JsonPropertyDescription("How many levels to list, 1 by default") @Nullable Integer depth,
			@JsonProperty("hidden") @JsonPropertyDescription("Show entries whose name begins with a dot; false by default") @Nullable Boolean hidden,
			@JsonProperty("ignore") @JsonPropertyDescription("Globs of entries to leave out, such as node_modules") @Nullable List<String> ignore,
			@JsonProperty("offset") @JsonPropertyDescription("How many entries to pass over, to continue a result") @Nullable Integer offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many entries to return at most, 500 by default") @Nullable Integer limit) {

		Input {
			require("depth", depth, 1);
			require("offset", offset, 0);
			require("limit", limit, 1);
		}

		private static void require(String name, @Nullable Integer value, int least) {
			if (value != null && value < least) {
				throw ToolArgumentException.of(name, "is " + value + ".", "Give at least " + least + ", or none.");
			}
		}

	}

}

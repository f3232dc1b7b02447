package io.kairo.tools.search;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.LookAlikes;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.GlobQuery;
import io.kairo.workspace.search.GlobReport;
import io.kairo.workspace.search.SearchEnd;
import io.kairo.workspace.search.SearchPatternException;
import io.kairo.workspace.search.SearchSlice;
import io.kairo.workspace.search.WorkspaceSearch;
import org.jspecify.annotations.Nullable;

/**
 * The tool that finds files by their names, newest first.
 */
public final class GlobTool extends RecordTool<GlobTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("files", OutputSchema.listOf(OutputSchema.STRING), "Files of this page")
		.required("total", OutputSchema.INTEGER, "Number of files that were found")
		.required("skipped", SearchText.SKIPPED, "Numbers of files and directories that were not searched")
		.results();

	private static final String DESCRIPTION = """
			Finds files by a glob such as **/*.java or src/**/*.{ts,tsx}, the last modified first.[ To search in \
			files use {Grep}.] A glob without a slash is for names in any directory. Passes over what .gitignore and \
			.ignore exclude and over hidden files, and says how many; to search there, give that directory as path, \
			or begin the glob with it. A leading dot must be written to be matched. Returns %,d files, or limit, %,d \
			at most; offset continues.
			Example: {"pattern": "*Test.java", "path": "src"}""";

	private static final Map<String, String> ALIASES = Map.of("glob", "pattern", "directory", "path", "head_limit",
			"limit");

	private final GlobOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public GlobTool() {
		this(GlobOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public GlobTool(GlobOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming the names of the tool and its parameters
	 */
	public GlobTool(GlobOptions options, ToolNaming naming) {
		super(naming.tool("Glob"), Phrase.of(DESCRIPTION, options.limit(), options.maxLimit()), Input.class, ALIASES,
				naming, Map.of("limit", options.limit()), ToolAnnotations.READ_ONLY, OUTPUT,
				ToolDefinition.Answer.TEXT);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		WorkspaceFiles files = context.files();
		WorkspacePath directory = context.resolveOptional(input.path());
		SearchSlice slice = slice(input);
		CallDeadline deadline = context.deadline(this.options.limits().deadline());
		WorkspaceResult<GlobReport> found;
		try {
			found = new WorkspaceSearch(files, this.options.limits()).glob(
					new GlobQuery(directory, input.pattern(), slice),
					() -> deadline.isOver() && deadline.isCancelled());
		}
		catch (SearchPatternException ex) {
			throw new ToolArgumentException(String.valueOf(ex.getMessage()), "Correct the parameter 'pattern'.");
		}
		if (found instanceof WorkspaceResult.Failure<GlobReport> failure) {
			return ToolResult.failure(failure);
		}
		GlobReport report = found.value();
		return (report.end() == SearchEnd.CANCELLED) ? ToolResult.cancelled("The search was cancelled.")
				: result(input, slice, directory, report, context);
	}

	private SearchSlice slice(Input input) {
		int limit = (input.limit() != null) ? Math.min(input.limit(), this.options.maxLimit()) : this.options.limit();
		return SearchPage.slice(input.offset(), limit, "Use a narrower pattern or path instead of paging so far.");
	}

	private ToolResult result(Input input, SearchSlice slice, WorkspacePath directory, GlobReport report,
			ToolContext context) {
		List<String> paths = report.files().stream().map((file) -> context.display(file.path())).toList();
		long next = (long) slice.offset() + paths.size();
		boolean last = report.end() == SearchEnd.LIMIT;
		boolean more = !paths.isEmpty() && next < report.total() && !last;
		List<String> notes = new ArrayList<>();
		notes.add((report.total() == 0) ? "no files match"
				: Phrase.of("%,d of %,d file%s", paths.size(), report.total(), Phrase.plural(report.total())));
		if (more) {
			notes.add(Phrase.of("continue with offset=%d", next));
		}
		if (last) {
			notes.add("the others come after too many: use a narrower pattern or path");
		}
		notes.addAll(SearchText.deadlineNotes(report.end(), this.options.limits()));
		notes.addAll(SearchText.skippedNotes(report.skipped()));
		String lookAlikes = LookAlikes.note(paths.stream());
		if (lookAlikes != null) {
			notes.add(lookAlikes);
		}
		String footer = "(" + String.join("; ", notes) + ")";
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("files", paths);
		data.put("total", report.total());
		data.put("skipped", SearchText.skippedData(report.skipped()));
		Map<String, Object> again = new LinkedHashMap<>(Map.of("pattern", input.pattern(), "path",
				context.display(directory), "offset", next, "limit", slice.limit()));
		boolean complete = !more && report.end() == SearchEnd.EVERYTHING && SearchText.isWhole(report.skipped());
		return new ToolResult(String.join("\n", paths) + (paths.isEmpty() ? "" : "\n") + footer, data, null,
				complete ? Completeness.COMPLETE
						: Completeness.partial(footer, more && next < SearchSlice.MAX_END ? again : null));
	}

	/**
	 * The arguments.
	 *
	 * @param pattern the glob
	 * @param path the directory to search
	 * @param offset the number of files to pass over
	 * @param limit the maximum number of files
	 */
	@JsonPropertyOrder({ "pattern", "path", "offset", "limit" })
	record Input(
			@JsonProperty(value = "pattern",
					required = true) @JsonPropertyDescription("The glob, such as **/*.java") String pattern,
			@JsonProperty("path") @JsonPropertyDescription("The directory to search, by default the one where relative paths start") @Nullable String path,
			@JsonProperty(value = "offset",
					defaultValue = "0") @JsonPropertyDescription("How many files to pass over, to continue a result") @Nullable Integer offset,
			@JsonProperty("limit") @JsonPropertyDescription("How many files to return at most") @Nullable Integer limit) {

		Input {
			if (offset != null && offset < 0) {
				throw ToolArgumentException.of("offset", "is " + offset + ", but must not be negative.",
						"Give an offset of at least 0, or none.");
			}
			if (limit != null && limit < 1) {
				throw ToolArgumentException.of("limit", "is " + limit + ", but at least one file is returned.",
						"Give a limit of at least 1, or none.");
			}
		}

	}

}

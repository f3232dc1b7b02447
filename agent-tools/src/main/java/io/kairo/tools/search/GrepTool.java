package io.kairo.tools.search;

import java.util.Map;
import java.util.function.Function;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.output.OutputFiles;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.GrepQuery;
import io.kairo.workspace.search.GrepReport;
import io.kairo.workspace.search.SearchEnd;
import io.kairo.workspace.search.SearchPatternException;
import io.kairo.workspace.search.SearchSlice;
import io.kairo.workspace.search.WorkspaceSearch;

/**
 * The tool that finds lines by a regular expression.
 */
public final class GrepTool extends RecordTool<GrepInput> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("files",
				OutputSchema.listOf(new OutputSchema().required("path", OutputSchema.STRING, "Path of the file")
					.optional("lines", OutputSchema.listOf(OutputSchema.INTEGER), "Numbers of the lines that match")
					.optional("count", OutputSchema.INTEGER, "Number of matches")
					.object()),
				"Files of this page")
		.required("results", OutputSchema.INTEGER, "Number of results of this page")
		.optional("searched", OutputSchema.INTEGER, "Number of files that were searched")
		.optional("skipped", SearchText.SKIPPED, "Numbers of files and directories that were not searched")
		.results();

	private static final String DESCRIPTION = """
			Searches the contents of files for a regular expression (RE2 syntax: no look-around, no back references; \
			escape literal braces and parentheses).[ To find files by name use {Glob}.] output_mode is \
			files_with_matches, content (lines, as path:number:line) or count. Narrow it with path, glob or type. \
			Passes over what .gitignore and .ignore exclude, hidden and binary files, and says how many; a path that \
			is given is searched in any case. Results are in the order of paths: %,d lines or files, or head_limit, \
			%,d at most, in about %,d characters; offset continues.
			Example: {"pattern": "TODO|FIXME", "type": "java", "output_mode": "content", "{-C}": 2}""";

	private static final Map<String, String> ALIASES = Map.ofEntries(Map.entry("A", "-A"),
			Map.entry("after_context", "-A"), Map.entry("B", "-B"), Map.entry("before_context", "-B"),
			Map.entry("C", "-C"), Map.entry("context", "-C"), Map.entry("i", "-i"), Map.entry("case_insensitive", "-i"),
			Map.entry("ignore_case", "-i"), Map.entry("n", "-n"), Map.entry("line_numbers", "-n"),
			Map.entry("regex", "pattern"), Map.entry("query", "pattern"), Map.entry("include", "glob"),
			Map.entry("limit", "head_limit"));

	private final GrepOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public GrepTool() {
		this(GrepOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public GrepTool(GrepOptions options) {
		this(options, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 * @param naming the names of the tool and its parameters
	 */
	public GrepTool(GrepOptions options, ToolNaming naming) {
		super(naming.tool("Grep"),
				Phrase.of(DESCRIPTION, options.headLimit(), options.maxHeadLimit(), options.maxCharacters()),
				GrepInput.class, ALIASES, naming, Map.of("head_limit", options.headLimit()), ToolAnnotations.READ_ONLY,
				OUTPUT, ToolDefinition.Answer.TEXT);
		this.options = options;
	}

	@Override
	protected ToolResult call(GrepInput input, ToolContext context) {
		String named = input.path();
		if (named != null && named.startsWith(OutputFiles.PREFIX)) {
			OutputFiles files = new OutputFiles(context.files(), context.session().outputs(), named);
			if (files.info(files.path()) instanceof WorkspaceResult.Failure<FileInfo> failure) {
				return ToolResult.failure(failure.code().code(), failure.message() + ".",
						"Run the command again; a file of that name is './" + named + "'.");
			}
			return search(files, files.path(), (found) -> named, input, context);
		}
		return search(context.files(), context.resolveOptional(named), (found) -> context.display(found), input,
				context);
	}

	private ToolResult search(WorkspaceFiles files, WorkspacePath path, Function<WorkspacePath, String> shown,
			GrepInput input, ToolContext context) {
		SearchSlice slice = slice(input);
		CallDeadline deadline = context.deadline(this.options.limits().deadline());
		GrepQuery query;
		WorkspaceResult<GrepReport> found;
		try {
			query = new GrepQuery(path, input.searchPattern(), input.filter(), input.output(), input.context(), slice);
			found = new WorkspaceSearch(files, this.options.limits()).grep(query,
					() -> deadline.isOver() && deadline.isCancelled());
		}
		catch (SearchPatternException ex) {
			throw new ToolArgumentException(String.valueOf(ex.getMessage()), "Correct it and call the tool again.");
		}
		if (found instanceof WorkspaceResult.Failure<GrepReport> failure) {
			return ToolResult.failure(failure);
		}
		GrepReport report = found.value();
		return (report.end() == SearchEnd.CANCELLED) ? ToolResult.cancelled("The search was cancelled.")
				: new GrepPage(input, query, report, this.options, shown).result();
	}

	private SearchSlice slice(GrepInput input) {
		Integer asked = input.headLimit();
		int limit = (asked == null) ? this.options.headLimit()
				: (asked == 0) ? this.options.maxHeadLimit() : Math.min(asked, this.options.maxHeadLimit());
		return SearchPage.slice(input.offset(), limit,
				"Narrow the search with path, glob or type instead of paging so far.");
	}

}

package io.kairo.tools.history;

import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that shows the changes of a workspace under version control since the last
 * commit.
 */
public final class DiffTool extends RecordTool<DiffTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("diff", OutputSchema.STRING, "Unified diff")
		.required("changed", OutputSchema.BOOLEAN, "Whether there is a difference")
		.results();

	private static final String DESCRIPTION = """
			Shows all changes of the files since they were checked out or last committed[ with {Commit}], new files \
			included, as a unified diff. Use it to review the work. Returns %,d characters at most; with path the \
			changes of one file or directory.
			unsupported_file_type: this workspace is not under version control.
			Example: {"path": "src"}""";

	private static final Map<String, String> ALIASES = Map.of("file_path", "path", "filePath", "path");

	private final int maxCharacters;

	private final Duration deadline;

	/**
	 * Creates the tool with the default bounds.
	 */
	public DiffTool() {
		this(ReadOptions.defaults().maxCharacters());
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public DiffTool(int maxCharacters) {
		this(maxCharacters, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @param naming the names of the tool and its parameters
	 * @throws IllegalArgumentException if the number is not above zero
	 */
	public DiffTool(int maxCharacters, ToolNaming naming) {
		this(maxCharacters, naming, CallDeadline.DEFAULT_TIMEOUT);
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @param naming the names of the tool and its parameters
	 * @param deadline the timeout for comparing, above zero
	 * @throws IllegalArgumentException if a value is not above zero
	 */
	public DiffTool(int maxCharacters, ToolNaming naming, Duration deadline) {
		super(naming.tool("Diff"), Phrase.of(DESCRIPTION, maxCharacters), Input.class, ALIASES, naming, Map.of(),
				ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.TEXT);
		if (maxCharacters <= 0) {
			throw new IllegalArgumentException("maxCharacters is " + maxCharacters + ": it must be above zero");
		}
		this.maxCharacters = maxCharacters;
		this.deadline = CallDeadline.requirePositive(deadline);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		CallDeadline end = new CallDeadline(this.deadline, context.cancellation());
		ToolResult result = HistoryCall.in(context, (history) -> history.diff(end::isOver), (diff) -> shown(
				(input.path() == null) ? diff : below(context.resolveOptional(input.path()), diff, context)));
		return end.isCancelled() ? ToolResult.cancelled("The comparison was cancelled.") : result;
	}

	private ToolResult shown(String diff) {
		if (diff.isEmpty()) {
			return ToolResult.ok("Nothing has changed.", Map.of("diff", "", "changed", false));
		}
		if (diff.length() <= this.maxCharacters) {
			return ToolResult.ok(diff, Map.of("diff", diff, "changed", true));
		}
		String start = diff.substring(0, diff.lastIndexOf('\n', this.maxCharacters) + 1);
		String left = Phrase.of("cut after %,d of %,d characters: name a path to see one file or directory",
				start.length(), diff.length());
		return new ToolResult(start + "(" + left + ")", Map.of("diff", start, "changed", true), null,
				Completeness.partial(left, null));
	}

	/**
	 * Returns the parts of a difference that belong to a file, or to the files below a
	 * directory.
	 */
	private static String below(WorkspacePath path, String diff, ToolContext context) {
		if (!path.root().equals(context.currentWorkspace().root())) {
			return "";
		}
		WorkspaceFiles files = context.files();
		WorkspacePath identity = files.identity(path);
		return DiffPart.of(diff)
			.filter((part) -> path.isRoot() || part.isOf((name) -> isWithin(name, path, identity, files)))
			.map(DiffPart::text)
			.collect(Collectors.joining());
	}

	private static boolean isWithin(String name, WorkspacePath path, WorkspacePath identity, WorkspaceFiles files) {
		try {
			return files.identity(new WorkspacePath(path.root(), name)).startsWith(identity);
		}
		catch (WorkspacePathException ex) {
			return name.startsWith(path.relative() + "/"); // no path of a workspace
		}
	}

	/**
	 * The arguments.
	 *
	 * @param path a file or directory, null for the whole workspace
	 */
	@JsonPropertyOrder({ "path" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The file or directory; without it, everything") @Nullable String path) {

	}

}

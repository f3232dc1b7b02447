package io.kairo.tools.history;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;

/**
 * The tool that pushes the commits of a workspace under version control to a new branch.
 */
public final class PushTool extends RecordTool<PushTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("commit", OutputSchema.STRING, "Id of the commit")
		.required("branch", OutputSchema.STRING, "Name of the branch")
		.results();

	private static final String DESCRIPTION = """
			Pushes what was committed[ with {Commit}] to a new branch of the remote repository, once the work is \
			complete. A branch that the remote has already is never changed.
			conflict: choose another name. remote_unreachable and remote_refused: report it instead of trying again.
			Example: {"branch": "fix/login-page"}""";

	private static final Map<String, String> ALIASES = Map.of("branch_name", "branch", "name", "branch");

	/**
	 * Creates the tool.
	 */
	public PushTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public PushTool(ToolNaming naming) {
		super(naming.tool("Push"), DESCRIPTION, Input.class, ALIASES, naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.ADDS, false, true, ToolAnnotations.Execution.NONE), OUTPUT,
				ToolDefinition.Answer.TEXT);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return HistoryCall.in(context, (history) -> history.push(input.branch()),
				(commit) -> ToolResult.ok("Pushed " + commit + " to the new branch " + input.branch() + ".",
						Map.of("commit", commit, "branch", input.branch())));
	}

	/**
	 * The arguments.
	 *
	 * @param branch the name of the new branch
	 */
	@JsonPropertyOrder({ "branch" })
	record Input(@JsonProperty(value = "branch",
			required = true) @JsonPropertyDescription("The name of the new branch, such as fix/login-page") String branch) {

	}

}

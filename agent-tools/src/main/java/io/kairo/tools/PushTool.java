package io.kairo.tools;

import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Pushes what was committed in a workspace under version control to a new branch.
 *
 * @since 0.1.0
 */
public final class PushTool implements AgentTool {

	private static final String DESCRIPTION = """
			Pushes what was committed with Commit to a new branch of the remote repository. A branch that the \
			remote has already is never changed.""";

	private final ToolInput<Input> input = new ToolInput<>(Input.class,
			Map.of("branch_name", "branch", "name", "branch"));

	private final ToolDefinition definition = new ToolDefinition("Push", DESCRIPTION, this.input.schema(),
			new ToolAnnotations(ToolAnnotations.Effect.ADDS, false, true));

	/**
	 * Creates the tool.
	 */
	public PushTool() {
	}

	@Override
	public ToolDefinition definition() {
		return this.definition;
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		Input input = this.input.bind(arguments);
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

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
 * The tool that commits all changes of a workspace under version control.
 */
public final class CommitTool extends RecordTool<CommitTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("commit", OutputSchema.STRING, "Id of the commit")
		.results();

	private static final String DESCRIPTION = """
			Commits all changes of the files, new files included, ignored ones not.[ Look at them with {Diff} \
			first.][ Nothing leaves this machine before {Push}.]
			write_failed: nothing has changed since the last commit. unsupported_file_type: this workspace is not \
			under version control.
			Example: {"message": "Fix the login page for expired sessions"}""";

	private static final Map<String, String> ALIASES = Map.of("msg", "message", "commit_message", "message");

	/**
	 * Creates the tool.
	 */
	public CommitTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public CommitTool(ToolNaming naming) {
		super(naming.tool("Commit"), DESCRIPTION, Input.class, ALIASES, naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.ADDS, false, false), OUTPUT, ToolDefinition.Answer.TEXT);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return HistoryCall.in(context, (history) -> history.commit(input.message()),
				(commit) -> ToolResult.ok("Committed as " + commit + ".", Map.of("commit", commit)));
	}

	/**
	 * The arguments.
	 *
	 * @param message the description of the changes
	 */
	@JsonPropertyOrder({ "message" })
	record Input(@JsonProperty(value = "message",
			required = true) @JsonPropertyDescription("What was changed and why: a short line, then details if needed") String message) {

	}

}

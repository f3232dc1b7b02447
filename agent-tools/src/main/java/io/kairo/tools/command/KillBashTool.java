package io.kairo.tools.command;

import java.time.Duration;
import java.util.Map;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;

/**
 * The tool that ends a command in the background.
 */
public final class KillBashTool extends RecordTool<KillBashTool.Input> {

	private static final Map<String, Object> OUTPUT = CommandStatus.schema(new OutputSchema()).results();

	private static final String DESCRIPTION = """
			Ends a background command and all processes that it started. Use it for servers and watchers that are no \
			longer needed.[ Its output can still be read with {BashOutput}.]
			unknown_command: the session does not know the id.
			Example: {"{bash_id}": "bash_1a2b3c4d"}""";

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final ToolNaming naming;

	/**
	 * Creates the tool.
	 */
	public KillBashTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public KillBashTool(ToolNaming naming) {
		super(naming.tool("KillBash"), DESCRIPTION, Input.class, BashOutputTool.ALIASES, naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.DESTROYS, true, false,
						ToolAnnotations.Execution.RUNNING_COMMANDS),
				OUTPUT, ToolDefinition.Answer.TEXT);
		this.naming = naming;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		BackgroundCommand command = CommandStatus.find(input.id(), context);
		if (command == null) {
			return CommandStatus.unknown(input.id(), this.naming);
		}
		boolean before = command.exit() != null;
		command.cancel();
		try {
			SandboxExit exit = command.awaitExit(PATIENCE).orElse(null);
			String text = (exit == null) ? "is being ended"
					: (before ? "had ended before: " : "") + CommandStatus.text(command, exit);
			return ToolResult.ok(command.id() + ": " + text, CommandStatus.data(command, exit));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ToolResult.cancelled("The call was cancelled; the command is being ended.");
		}
	}

	/**
	 * The arguments.
	 *
	 * @param id the id of the command
	 */
	record Input(@JsonProperty(value = "bash_id",
			required = true) @JsonPropertyDescription("Id of the background command") String id) {

	}

}

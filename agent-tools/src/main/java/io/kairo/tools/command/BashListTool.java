package io.kairo.tools.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.text.Phrase;

/**
 * The tool that lists the commands in the background of a session.
 */
public final class BashListTool extends RecordTool<BashListTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema().required("commands",
			OutputSchema.listOf(CommandStatus.schema(new OutputSchema())
				.required("command", OutputSchema.STRING, "Beginning of the command")
				.object()),
			"Commands, the oldest first")
		.results();

	private static final String DESCRIPTION = """
			Lists the background commands of this session: those that run, and those that have ended and whose output \
			can still be read. Use it to find the id of a command.
			Example: {}""";

	/** Maximum number of characters of a command. */
	private static final int MAX_TITLE = 200;

	/**
	 * Creates the tool.
	 */
	public BashListTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public BashListTool(ToolNaming naming) {
		super(naming.tool("BashList"), DESCRIPTION, Input.class, Map.of(), naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.READS, true, false,
						ToolAnnotations.Execution.RUNNING_COMMANDS),
				OUTPUT, ToolDefinition.Answer.TEXT);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		SessionCommands commands = context.session().commands();
		List<String> lines = new ArrayList<>();
		List<Map<String, Object>> entries = new ArrayList<>();
		for (BackgroundCommand command : (commands != null) ? commands.list() : List.<BackgroundCommand>of()) {
			SandboxExit exit = command.exit();
			String title = Phrase.visible(shortened(command.title()));
			lines.add(command.id() + "  " + CommandStatus.text(command, exit) + "  " + title);
			Map<String, Object> entry = CommandStatus.data(command, exit);
			entry.put("command", title);
			entries.add(entry);
		}
		return ToolResult.ok(lines.isEmpty() ? "This session has no background commands." : String.join("\n", lines),
				Map.of("commands", entries));
	}

	private static String shortened(String title) {
		return (title.length() > MAX_TITLE) ? title.substring(0, MAX_TITLE) + "\u2026" : title;
	}

	/**
	 * The arguments, none.
	 */
	record Input() {

	}

}

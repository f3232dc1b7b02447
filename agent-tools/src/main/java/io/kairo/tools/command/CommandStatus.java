package io.kairo.tools.command;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.background.SessionCommands;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The status of commands in the background, as text and as data.
 */
final class CommandStatus {

	private CommandStatus() {
	}

	/**
	 * Adds the properties of {@link #data}.
	 */
	static OutputSchema schema(OutputSchema schema) {
		return schema.required("id", OutputSchema.STRING, "Id of the command")
			.required("running", OutputSchema.BOOLEAN, "Whether the command is running")
			.optional("exitCode", OutputSchema.INTEGER, "Exit code, once it has ended")
			.optional("signal", OutputSchema.STRING, "Signal or cause of the end")
			.optional("timedOut", OutputSchema.BOOLEAN, "Whether its time was over")
			.required("durationMs", OutputSchema.INTEGER, "Duration so far, in milliseconds");
	}

	static Map<String, Object> data(BackgroundCommand command, @Nullable SandboxExit exit) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", command.id());
		data.put("running", exit == null);
		if (exit != null) {
			data.put("exitCode", exit.exitCode());
			if (exit.signal() != null) {
				data.put("signal", exit.signal());
			}
			data.put("timedOut", exit.timedOut());
		}
		data.put("durationMs", command.duration().toMillis());
		return data;
	}

	static String text(BackgroundCommand command, @Nullable SandboxExit exit) {
		long seconds = command.duration().toSeconds();
		if (exit == null) {
			return Phrase.of("running for %,d s", seconds);
		}
		if (exit.timedOut()) {
			return Phrase.of("its time was over and it was ended after %,d s", seconds);
		}
		if (SandboxExit.CANCELLED.equals(exit.signal())) {
			return Phrase.of("it was ended on request after %,d s", seconds);
		}
		String note = CommandReport.noteOf(exit, command.title());
		return Phrase.of("ended after %,d s: %s", seconds, (note != null) ? note : "exit code 0");
	}

	static @Nullable BackgroundCommand find(String id, ToolContext context) {
		SessionCommands commands = context.session().commands();
		return (commands != null) ? commands.find(id) : null;
	}

	/**
	 * Returns the failure of a call with an id that the session does not know. Another
	 * session may have a command with this id.
	 */
	static ToolResult unknown(String id, ToolNaming naming) {
		return ToolResult.failure(ToolError.UNKNOWN_COMMAND,
				"This session has no background command " + WorkspacePath.quote(id) + ".", naming.tool("BashList")
						+ " lists the commands of this session; their output is kept for a while only.");
	}

}

package io.kairo.tools.command;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolError;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that writes to the standard input of a command in the background.
 */
public final class BashInputTool extends RecordTool<BashInputTool.Input> {

	private static final Map<String, Object> OUTPUT = CommandStatus.schema(new OutputSchema())
		.required("bytes", OutputSchema.INTEGER, "Number of bytes of the input")
		.required("taken", OutputSchema.BOOLEAN, "Whether the command has taken all of it")
		.results();

	private static final String DESCRIPTION = """
			Writes text of up to %,d characters to the standard input of a background command, as it is: end it with \
			a line feed to answer a prompt. close ends the input after the text.[ Wait for the answer with \
			{BashOutput} and wait_for.]
			input_closed: the command has ended, has closed its input or has not read the last one yet; look at its \
			output. unknown_command: the session does not know the id.
			Example: {"{bash_id}": "bash_1a2b3c4d", "text": "yes\\n"}""";

	/** Maximum number of characters of the text. */
	private static final int MAX_TEXT = 1 << 20;

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final ToolNaming naming;

	private final Duration patience;

	/**
	 * Creates the tool.
	 */
	public BashInputTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public BashInputTool(ToolNaming naming) {
		this(naming, PATIENCE);
	}

	BashInputTool(ToolNaming naming, Duration patience) {
		super(naming.tool("BashInput"), Phrase.of(DESCRIPTION, MAX_TEXT), Input.class, BashOutputTool.ALIASES, naming,
				Map.of(), new ToolAnnotations(ToolAnnotations.Effect.DESTROYS, false, true,
						ToolAnnotations.Execution.RUNNING_COMMANDS),
				OUTPUT, ToolDefinition.Answer.TEXT);
		this.naming = naming;
		this.patience = patience;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		BackgroundCommand command = CommandStatus.find(input.id(), context);
		if (command == null) {
			return CommandStatus.unknown(input.id(), this.naming);
		}
		SandboxExit exit = command.exit();
		if (exit != null) {
			return refused(
					"The command " + command.id() + " takes no input: " + CommandStatus.text(command, exit) + ".",
					"Start it again.");
		}
		byte[] data = input.bytes();
		try {
			if (!command.write(data, input.closes(), this.patience)) {
				return refused("The command " + command.id() + " has not read its last input yet; nothing was written.",
						"Look at its output with " + this.naming.tool("BashOutput") + ".");
			}
			return written(command, data.length, true, Phrase.of("Wrote %s to %s%s.", Phrase.count(data.length, "byte"),
					command.id(), input.closes() ? " and closed its input" : ""));
		}
		catch (TimeoutException ex) {
			return written(command, data.length, false, Phrase.of("%s has not read %s yet; the rest waits for it.",
					command.id(), (data.length == 1) ? "the byte" : Phrase.of("all of the %,d bytes", data.length)));
		}
		catch (IOException ex) {
			return refused("The command " + command.id() + " takes no more input: it was closed.",
					"Look at its output with " + this.naming.tool("BashOutput") + ".");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return ToolResult.cancelled("The call was cancelled; the command may have read the input.");
		}
	}

	private static ToolResult refused(String message, String nextStep) {
		return ToolResult.failure(ToolError.INPUT_CLOSED, message, nextStep);
	}

	private static ToolResult written(BackgroundCommand command, int bytes, boolean taken, String text) {
		Map<String, Object> data = CommandStatus.data(command, command.exit());
		data.put("bytes", bytes);
		data.put("taken", taken);
		return ToolResult.ok(text, data);
	}

	/**
	 * The arguments.
	 *
	 * @param id the id of the command
	 * @param text the text, null for none
	 * @param close whether to end the input
	 */
	@JsonPropertyOrder({ "bash_id", "text", "close" })
	record Input(
			@JsonProperty(value = "bash_id",
					required = true) @JsonPropertyDescription("Id of the background command") String id,
			@JsonProperty("text") @JsonPropertyDescription("The text to write") @Nullable String text,
			@JsonProperty(value = "close",
					defaultValue = "false") @JsonPropertyDescription("Whether the input ends with the text") @Nullable Boolean close) {

		Input {
			if (text == null && !Boolean.TRUE.equals(close)) {
				throw new ToolArgumentException("There is neither a text nor close.",
						"Give a text to write, or close to end the input.");
			}
			if (text != null && text.length() > MAX_TEXT) {
				throw new ToolArgumentException(
						Phrase.of("The text has %,d characters, but at most %,d are allowed.", text.length(), MAX_TEXT),
						"Write it to a file that the command can read.");
			}
		}

		byte[] bytes() {
			return (this.text != null) ? this.text.getBytes(StandardCharsets.UTF_8) : new byte[0];
		}

		boolean closes() {
			return Boolean.TRUE.equals(this.close);
		}

	}

}

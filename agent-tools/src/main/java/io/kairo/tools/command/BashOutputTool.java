package io.kairo.tools.command;

import java.time.Duration;
import java.util.Map;
import java.util.function.Predicate;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolArgumentException;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.text.Phrase;
import io.kairo.workspace.search.SearchPattern;
import io.kairo.workspace.search.SearchPatternException;
import org.jspecify.annotations.Nullable;

/**
 * The tool that returns the new output of a command in the background, and waits for it.
 */
public final class BashOutputTool extends RecordTool<BashOutputTool.Input> {

	private static final Map<String, Object> OUTPUT = CommandStatus.schema(new OutputSchema())
		.optional("found", OutputSchema.BOOLEAN, "Whether a line matches wait_for")
		.required("leftOutCharacters", OutputSchema.INTEGER, "Number of characters that the text leaves out")
		.required("discardedBytes", OutputSchema.INTEGER, "Number of bytes that were not kept")
		.optional("output", OutputSchema.STRING, "Name to read the whole of this output by")
		.optional("droppedBytes", OutputSchema.INTEGER, "Number of bytes that the whole of this output lacks")
		.results();

	private static final String DESCRIPTION = """
			Returns the output of a background command since the last call, and whether it is still running. Returns \
			at once, unless wait_for or timeout is given: with wait_for, when a line matches; with timeout alone, \
			when the command has ended; in both cases at the end of the command or after timeout (with wait_for %,d \
			ms by default, %,d ms at most). Prefer one call that waits to many that do not. filter returns only the \
			lines that match; the others count as read. Of output over %,d characters the beginning and the end are \
			returned.
			unknown_command: the session does not know the id, or no longer.[ {BashList} shows the ids.]
			Example: {"{bash_id}": "bash_1a2b3c4d", "wait_for": "BUILD|Started", "timeout": 60000}""";

	/** The names of parameters that have another one. */
	static final Map<String, String> ALIASES = Map.of("shell_id", "bash_id", "command_id", "bash_id", "id", "bash_id");

	private final Duration usual;

	private final Duration most;

	private final Duration heartbeat;

	private final ToolNaming naming;

	/**
	 * Creates the tool with the default bounds.
	 */
	public BashOutputTool() {
		this(BashOptions.defaults().timeout(), BashOptions.defaults().maxTimeout(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param timeout the default time to wait for a line
	 * @param maxTimeout the upper bound for a requested time to wait
	 * @param naming the names of the tool and its parameters
	 */
	public BashOutputTool(Duration timeout, Duration maxTimeout, ToolNaming naming) {
		this(timeout, maxTimeout, naming, BashTool.HEARTBEAT);
	}

	BashOutputTool(Duration timeout, Duration maxTimeout, ToolNaming naming, Duration heartbeat) {
		super(naming.tool("BashOutput"),
				Phrase.of(DESCRIPTION, timeout.toMillis(), maxTimeout.toMillis(), CommandOutput.MAX_CHARACTERS),
				Input.class, ALIASES, naming, Map.of(), new ToolAnnotations(ToolAnnotations.Effect.READS, false, false,
						ToolAnnotations.Execution.RUNNING_COMMANDS),
				OUTPUT, ToolDefinition.Answer.TEXT);
		this.usual = timeout;
		this.most = maxTimeout;
		this.heartbeat = heartbeat;
		this.naming = naming;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		LineSelection.Lines lines = new LineSelection.Lines(pattern("filter", input.filter()),
				pattern("wait_for", input.awaited()));
		BackgroundCommand command = CommandStatus.find(input.id(), context);
		return (command != null) ? new OutputReading(command, lines, timeout(input), Boolean.TRUE.equals(input.whole()),
				this.heartbeat, context, this.naming)
			.result() : CommandStatus.unknown(input.id(), this.naming);
	}

	private Duration timeout(Input input) {
		if (input.timeout() == null) {
			return (input.awaited() != null) ? this.usual : Duration.ZERO;
		}
		Duration asked = Duration.ofMillis(input.timeout());
		return (asked.compareTo(this.most) > 0) ? this.most : asked;
	}

	private static @Nullable Predicate<String> pattern(String parameter, @Nullable String regex) {
		try {
			return (regex != null) ? SearchPattern.of(regex).asPredicate() : null;
		}
		catch (SearchPatternException ex) {
			throw new ToolArgumentException(parameter + ": " + ex.getMessage(),
					"Correct it and call the tool again; the output is still there.");
		}
	}

	/**
	 * The arguments.
	 *
	 * @param id the id of the command
	 * @param filter a regular expression
	 * @param awaited a regular expression
	 * @param timeout in milliseconds
	 * @param whole whether to repeat output that was returned before
	 */
	@JsonPropertyOrder({ "bash_id", "filter", "wait_for", "timeout", "from_start" })
	record Input(
			@JsonProperty(value = "bash_id",
					required = true) @JsonPropertyDescription("Id of the background command") String id,
			@JsonProperty("filter") @JsonPropertyDescription("Regular expression (RE2); only lines that match are returned") @Nullable String filter,
			@JsonProperty("wait_for") @JsonPropertyDescription("Regular expression (RE2); waits until a line of the new output matches") @Nullable String awaited,
			@JsonProperty("timeout") @JsonPropertyDescription("How long to wait at most, in milliseconds") @Nullable Long timeout,
			@JsonProperty(value = "from_start",
					defaultValue = "false") @JsonPropertyDescription("Whether to return the output from its beginning again") @Nullable Boolean whole) {

		Input {
			if (timeout != null && timeout < 0) {
				throw new ToolArgumentException("timeout is " + timeout + ", but it must not be negative.",
						"Give a number of milliseconds, or none.");
			}
		}

	}

}

package io.kairo.tools.entry;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * The tool that moves or renames a file or a directory.
 */
public final class MoveTool extends RecordTool<MoveTool.Input> {

	private static final String DESCRIPTION = """
			Moves or renames a file or a directory, with everything in it. Use it instead of writing a file anew \
			under another name. destination is the whole new path; its missing directories are created. A file at the \
			destination is replaced only with overwrite, a directory never (file_exists: choose another path). Files \
			that were read need not be read again under the new path.
			Example: {"source": "src/util.py", "destination": "src/text/util.py"}""";

	private final Duration deadline;

	/**
	 * Creates the tool with the default bounds.
	 */
	public MoveTool() {
		this(CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param deadline the timeout for counting the moved files
	 * @param naming the names of the tool and its parameters
	 */
	public MoveTool(Duration deadline, ToolNaming naming) {
		super(naming.tool("Move"), DESCRIPTION, Input.class, RelocationInput.ALIASES, naming, Map.of(),
				ToolAnnotations.EDITS, RelocationInput.output("moved"), ToolDefinition.Answer.TEXT);
		this.deadline = Objects.requireNonNull(deadline, "deadline");
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return RelocationInput.of(input.source(), input.destination(), input.overwrite())
			.perform(RelocationCall.Kind.MOVE, true, this.deadline, context);
	}

	@Override
	protected @Nullable ToolResult foresee(Input input, ToolContext context) {
		return RelocationInput.of(input.source(), input.destination(), input.overwrite())
			.foresee(RelocationCall.Kind.MOVE, true, this.deadline, context);
	}

	/**
	 * The arguments.
	 *
	 * @param source the file or directory
	 * @param destination its new path
	 * @param overwrite whether a file at the destination is replaced
	 */
	@JsonPropertyOrder({ "source", "destination", "overwrite" })
	record Input(
			@JsonProperty(value = "source",
					required = true) @JsonPropertyDescription("The file or directory to move") String source,
			@JsonProperty(value = "destination",
					required = true) @JsonPropertyDescription("Its whole new path, name included") String destination,
			@JsonProperty(value = "overwrite",
					defaultValue = "false") @JsonPropertyDescription("Replace a file at the destination") @Nullable Boolean overwrite) {

	}

}

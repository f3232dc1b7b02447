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
 * The tool that copies a file or a directory.
 */
public final class CopyTool extends RecordTool<CopyTool.Input> {

	private static final String DESCRIPTION = """
			Copies a file, or with recursive a directory and everything in it.[ To rename use {Move}.] destination is \
			the whole path of the copy; its missing directories are created. A file at the destination is replaced \
			only with overwrite, a directory never (file_exists: choose another path).
			Example: {"source": "config/dev.yml", "destination": "config/test.yml"}""";

	private final Duration deadline;

	/**
	 * Creates the tool with the default bounds.
	 */
	public CopyTool() {
		this(CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param deadline the timeout for counting the copied files
	 * @param naming the names of the tool and its parameters
	 */
	public CopyTool(Duration deadline, ToolNaming naming) {
		super(naming.tool("Copy"), DESCRIPTION, Input.class, RelocationInput.ALIASES, naming, Map.of(),
				ToolAnnotations.EDITS, RelocationInput.output("copied"), ToolDefinition.Answer.TEXT);
		this.deadline = Objects.requireNonNull(deadline, "deadline");
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return RelocationInput.of(input.source(), input.destination(), input.overwrite())
			.perform(RelocationCall.Kind.COPY, Boolean.TRUE.equals(input.recursive()), this.deadline, context);
	}

	@Override
	protected @Nullable ToolResult foresee(Input input, ToolContext context) {
		return RelocationInput.of(input.source(), input.destination(), input.overwrite())
			.foresee(RelocationCall.Kind.COPY, Boolean.TRUE.equals(input.recursive()), this.deadline, context);
	}

	/**
	 * The arguments.
	 *
	 * @param source the file or directory
	 * @param destination the path of the copy
	 * @param recursive whether a directory is copied
	 * @param overwrite whether a file at the destination is replaced
	 */
	@JsonPropertyOrder({ "source", "destination", "recursive", "overwrite" })
	record Input(
			@JsonProperty(value = "source",
					required = true) @JsonPropertyDescription("The file or directory to copy") String source,
			@JsonProperty(value = "destination",
					required = true) @JsonPropertyDescription("The whole path of the copy, name included") String destination,
			@JsonProperty(value = "recursive",
					defaultValue = "false") @JsonPropertyDescription("Also copy a directory, with everything in it") @Nullable Boolean recursive,
			@JsonProperty(value = "overwrite",
					defaultValue = "false") @JsonPropertyDescription("Replace a file at the destination") @Nullable Boolean overwrite) {

	}

}

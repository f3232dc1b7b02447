package io.kairo.tools.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadOptions;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * The tool that shows what a session changed.
 */
public final class ChangesTool extends RecordTool<ChangesTool.Input> {

	private static final String DESCRIPTION = """
			Shows what this session changed with tools and commands, as a diff; what others changed is not included. \
			Returns %,d characters at most.
			file_not_found: there is no such checkpoint or step.
			Example: {"since": "before the upgrade"}""";

	private final int maxCharacters;

	/**
	 * Creates the tool with the default bound.
	 */
	public ChangesTool() {
		this(ReadOptions.defaults().maxCharacters(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @param naming the names of the tool and its parameters
	 */
	public ChangesTool(int maxCharacters, ToolNaming naming) {
		super(naming.tool("Changes"), Phrase.of(DESCRIPTION, maxCharacters), Input.class, Map.of(), naming, Map.of(),
				ToolAnnotations.READ_ONLY, RewindReport.OUTPUT, ToolDefinition.Answer.TEXT);
		this.maxCharacters = maxCharacters;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return CheckpointCall.in(context, (checkpoints) -> {
			WorkspaceResult<Rewind> changes = checkpoints.changes(context.files(),
					CheckpointCall.range(input.since(), input.steps(), false, input.paths(), Range.all(), context),
					Set.of());
			return (changes instanceof WorkspaceResult.Failure<Rewind> failure) ? ToolResult.failure(failure)
					: new RewindReport(context, checkpoints, this.maxCharacters).changes(changes.value());
		});
	}

	/**
	 * The arguments.
	 *
	 * @param since the name of a checkpoint
	 * @param steps the number of steps
	 * @param paths files or directories
	 */
	@JsonPropertyOrder({ "since", "steps", "paths" })
	record Input(
			@JsonProperty("since") @JsonPropertyDescription("The name of a checkpoint; without it, everything") @Nullable String since,
			@JsonProperty("steps") @JsonPropertyDescription("The last so many calls that changed something") @Nullable Integer steps,
			@JsonProperty("paths") @JsonPropertyDescription("Only these files or directories") @Nullable List<String> paths) {

	}

}

package io.kairo.tools.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.Set;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
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
 * The tool that undoes what a session changed.
 */
public final class RewindTool extends RecordTool<RewindTool.Input> {

	private static final String DESCRIPTION = """
			Undoes what this session changed with tools and commands: the last step, the last steps, or all since a \
			checkpoint. What others changed is kept, and told; %,d characters of a diff are shown with dry_run. {Rewind} \
			itself is undone with redo.
			file_not_found: there is no such checkpoint or step.
			Example: {"since": "before the upgrade", "dry_run": true}""";

	private final int maxCharacters;

	/**
	 * Creates the tool with the default bound.
	 */
	public RewindTool() {
		this(ReadOptions.defaults().maxCharacters(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param maxCharacters the maximum length of a difference before it is cut, above
	 * zero
	 * @param naming the names of the tool and its parameters
	 */
	public RewindTool(int maxCharacters, ToolNaming naming) {
		super(naming.tool("Rewind"), Phrase.of(DESCRIPTION, maxCharacters), Input.class, Map.of("dryRun", "dry_run"),
				naming, Map.of(), ToolAnnotations.EDITS, RewindReport.OUTPUT, ToolDefinition.Answer.TEXT);
		this.maxCharacters = maxCharacters;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return CheckpointCall.in(context, (checkpoints) -> rewind(input, checkpoints, context));
	}

	private ToolResult rewind(Input input, WorkspaceCheckpoints checkpoints, ToolContext context) {
		Range range = CheckpointCall.range(input.since(), input.steps(), Boolean.TRUE.equals(input.redo()),
				input.paths(), Range.last(1), context);
		WorkspaceFiles files = context.files();
		boolean preview = Boolean.TRUE.equals(input.dryRun());
		Set<WorkspacePath> overwritten = Set.copyOf(CheckpointCall.paths(input.overwrite(), context));
		WorkspaceResult<Rewind> result = preview ? checkpoints.changes(files, range, overwritten)
				: checkpoints.restore(files, range, overwritten);
		if (result instanceof WorkspaceResult.Failure<Rewind> failure) {
			return ToolResult.failure(failure);
		}
		Rewind rewind = result.value();
		if (rewind.done()) {
			rewind.changes()
				.stream()
				.filter((change) -> change.obstacle() == null && change.to() == null)
				.map(WorkspaceCheckpoints.Change::path)
				.forEach((path) -> context.session().moved(path, (WorkspacePath) null, files));
		}
		return new RewindReport(context, checkpoints, this.maxCharacters).rewind(rewind);
	}

	/**
	 * The arguments.
	 *
	 * @param since the name of a checkpoint
	 * @param steps the number of steps
	 * @param redo whether to undo the last call of this tool
	 * @param paths files or directories
	 * @param overwrite files whose changes by others are overwritten
	 * @param dryRun whether to show what would be done
	 */
	@JsonPropertyOrder({ "since", "steps", "redo", "paths", "overwrite", "dry_run" })
	record Input(@JsonProperty("since") @JsonPropertyDescription("The name of a checkpoint") @Nullable String since,
			@JsonProperty(value = "steps",
					defaultValue = "1") @JsonPropertyDescription("The last so many calls that changed something") @Nullable Integer steps,
			@JsonProperty(value = "redo",
					defaultValue = "false") @JsonPropertyDescription("Undo the last rewind") @Nullable Boolean redo,
			@JsonProperty("paths") @JsonPropertyDescription("Only these files or directories") @Nullable List<String> paths,
			@JsonProperty("overwrite") @JsonPropertyDescription("Files that others changed, to be put back nevertheless") @Nullable List<String> overwrite,
			@JsonProperty(value = "dry_run",
					defaultValue = "false") @JsonPropertyDescription("Show what would change") @Nullable Boolean dryRun) {

	}

}

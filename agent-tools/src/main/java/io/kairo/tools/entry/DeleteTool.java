package io.kairo.tools.entry;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * The tool that deletes a file or a directory. It is kept in the trash of its workspace,
 * unless the call deletes it for good.
 */
public final class DeleteTool extends RecordTool<DeleteTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("path", OutputSchema.STRING, "Path that was deleted")
		.required("outcome", OutputSchema.STRING, "The text trashed, or deleted if it was for good")
		.optional("id", OutputSchema.STRING, "Id in the trash")
		.optional("type", OutputSchema.STRING, "The text file, directory, link or other")
		.optional("files", OutputSchema.INTEGER, "Number of files")
		.optional("bytes", OutputSchema.INTEGER, "Size of the files in bytes")
		.optional("dropped", OutputSchema.INTEGER, "Number of older deletions that left the full trash")
		.results();

	private static final String DESCRIPTION = """
			Deletes a file, a link or an empty directory, and with recursive a directory with everything in it. What \
			is deleted is kept in a trash for up to %,d hours[, from which {Undelete} brings it back]; with permanent \
			it is deleted for good.
			directory_not_empty: see what is in it, then use recursive. too_large: the trash, of %,d bytes and %,d \
			files at most, cannot hold it; only permanent deletes it.
			Example: {"path": "build", "recursive": true}""";

	/** Other names of parameters. */
	static final Map<String, String> ALIASES = Map.of("file_path", "path", "filePath", "path", "filename", "path",
			"directory", "path", "recurse", "recursive");

	private final TrashStore trash;

	private final Duration deadline;

	/**
	 * Creates the tool with the default bounds, and a trash beside the temporary files of
	 * the user.
	 */
	public DeleteTool() {
		this(TrashStore.ofUser(), CallDeadline.DEFAULT_TIMEOUT, ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param trash the trash of all workspaces
	 * @param deadline the timeout for counting the deleted files
	 * @param naming the names of the tool and its parameters
	 */
	public DeleteTool(TrashStore trash, Duration deadline, ToolNaming naming) {
		super(naming.tool("Delete"),
				Phrase.of(DESCRIPTION, hours(trash), trash.options().maxBytes(), trash.options().maxFiles()),
				Input.class, ALIASES, naming, Map.of(), ToolAnnotations.EDITS, OUTPUT, ToolDefinition.Answer.TEXT);
		this.trash = Objects.requireNonNull(trash, "trash");
		this.deadline = Objects.requireNonNull(deadline, "deadline");
	}

	/**
	 * Returns the time that an entry is kept, for a description.
	 */
	static long hours(TrashStore trash) {
		return Math.max(1, trash.options().maxAge().toHours());
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		DeleteCall call = deleteCall(input, context);
		return context.session()
			.inTurn(List.of(call.path()),
					Boolean.TRUE.equals(input.permanent()) ? call::deleteForGood : call::moveToTrash);
	}

	@Override
	protected @Nullable ToolResult foresee(Input input, ToolContext context) {
		return deleteCall(input, context).foresee();
	}

	private DeleteCall deleteCall(Input input, ToolContext context) {
		return new DeleteCall(context.resolve(input.path()),
				Boolean.TRUE.equals(input.recursive()) ? WorkspaceChange.Depth.RECURSIVE : WorkspaceChange.Depth.SINGLE,
				context, this.trash, new CallDeadline(this.deadline, context.cancellation()));
	}

	/**
	 * The arguments.
	 *
	 * @param path the file or directory
	 * @param recursive whether a directory is deleted with everything in it
	 * @param permanent whether nothing is kept
	 */
	@JsonPropertyOrder({ "path", "recursive", "permanent" })
	record Input(
			@JsonProperty(value = "path",
					required = true) @JsonPropertyDescription("The file or directory to delete") String path,
			@JsonProperty(value = "recursive",
					defaultValue = "false") @JsonPropertyDescription("Also delete a directory that is not empty, with everything in it") @Nullable Boolean recursive,
			@JsonProperty(value = "permanent",
					defaultValue = "false") @JsonPropertyDescription("Keep nothing in the trash") @Nullable Boolean permanent) {

	}

}

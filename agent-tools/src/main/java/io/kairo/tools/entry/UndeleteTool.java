package io.kairo.tools.entry;

import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * The tool that lists the trash of a workspace, and restores entries.
 */
public final class UndeleteTool extends RecordTool<UndeleteTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("outcome", OutputSchema.STRING, "The text restored or listed")
		.optional("path", OutputSchema.STRING, "Path that was restored")
		.optional("id", OutputSchema.STRING, "Its id in the trash")
		.optional("type", OutputSchema.STRING, "The text file, directory, link or other")
		.optional("files", OutputSchema.INTEGER, "Number of files")
		.optional("bytes", OutputSchema.INTEGER, "Size of the files in bytes")
		.optional("entries",
				OutputSchema.listOf(new OutputSchema().required("id", OutputSchema.STRING, "Id in the trash")
					.required("path", OutputSchema.STRING, "Path that was deleted")
					.required("type", OutputSchema.STRING, "The text file, directory, link or other")
					.required("files", OutputSchema.INTEGER, "Number of files")
					.required("bytes", OutputSchema.INTEGER, "Size of the files in bytes")
					.required("deleted", OutputSchema.STRING, "Time of the deletion")
					.object()),
				"What can be restored, the newest first")
		.results();

	private static final String DESCRIPTION = """
			Brings back what was deleted: the newest deletion of a path, or the one with an id. Without arguments it \
			lists what can be brought back, for up to %,d hours after it was deleted. Nothing is ever overwritten. \
			What a command deletes is not in the trash.
			file_not_found: the trash does not have it; list it. file_exists: move the file that is there first.
			Example: {"path": "src/util.py"}""";

	private static final Map<String, String> ALIASES = Map.of("file_path", "path", "filePath", "path", "filename",
			"path");

	private final TrashStore trash;

	/**
	 * Creates the tool with the default trash.
	 * @see DeleteTool#DeleteTool()
	 */
	public UndeleteTool() {
		this(TrashStore.ofUser(), ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param trash the trash of all workspaces
	 * @param naming the names of the tool and its parameters
	 */
	public UndeleteTool(TrashStore trash, ToolNaming naming) {
		super(naming.tool("Undelete"), Phrase.of(DESCRIPTION, DeleteTool.hours(trash)), Input.class, ALIASES, naming,
				Map.of(), new ToolAnnotations(ToolAnnotations.Effect.ADDS, false, false), OUTPUT,
				ToolDefinition.Answer.TEXT);
		this.trash = Objects.requireNonNull(trash, "trash");
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return new UndeleteCall(input.path(), input.id(), context, this.trash).perform();
	}

	/**
	 * The arguments.
	 *
	 * @param path the path that was deleted
	 * @param id the id in the trash
	 */
	@JsonPropertyOrder({ "path", "id" })
	record Input(
			@JsonProperty("path") @JsonPropertyDescription("The path to bring back, as it was deleted") @Nullable String path,
			@JsonProperty("id") @JsonPropertyDescription("The id in the trash, where a path was deleted more than once") @Nullable String id) {

	}

}

package io.kairo.tools.file;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;

/**
 * The tool {@code get_workspace_info}. Its data are the counts of the files and
 * directories of the workspace, the total size, and the time of the last modification, or
 * the epoch if there are no files.
 */
public final class WorkspaceInfoTool extends RecordTool<WorkspaceInfoTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("fileCount", OutputSchema.INTEGER, "Number of files")
		.required("dirCount", OutputSchema.INTEGER, "Number of directories")
		.required("totalSize", OutputSchema.INTEGER, "Size in bytes")
		.required("lastModified", OutputSchema.STRING, "Time of the last modification")
		.results();

	private static final String DESCRIPTION = """
			Counts the files and directories of the whole workspace, hidden and ignored ones too, adds up their size \
			and says when a file was last modified.[ For the entries of a directory use {List}.] Counting ends after \
			%,d ms; the result then says what is missing.
			Example: {}""";

	private final InfoOptions options;

	/**
	 * Creates the tool with the default bounds.
	 */
	public WorkspaceInfoTool() {
		this(InfoOptions.defaults());
	}

	/**
	 * Creates the tool.
	 * @param options its bounds
	 */
	public WorkspaceInfoTool(InfoOptions options) {
		super("get_workspace_info", Phrase.of(DESCRIPTION, options.deadline().toMillis()), Input.class, Map.of(),
				ToolNaming.SNAKE_CASE, Map.of(), ToolAnnotations.READ_ONLY, OUTPUT, ToolDefinition.Answer.DATA);
		this.options = options;
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		return WorkspaceCount.report(this.options, context, (count) -> {
			Map<String, Object> data = new LinkedHashMap<>();
			data.put("fileCount", count.files());
			data.put("dirCount", count.directories());
			data.put("totalSize", count.size());
			data.put("lastModified", Objects.requireNonNullElse(count.lastModified(), Instant.EPOCH).toString());
			return data;
		});
	}

	/**
	 * The arguments. There are none.
	 */
	record Input() {

	}

}

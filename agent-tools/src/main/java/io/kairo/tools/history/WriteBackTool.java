package io.kairo.tools.history;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.workspace.SyncReport;
import io.kairo.api.workspace.SyncReport.Outcome;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceSync;
import io.kairo.tools.Completeness;
import io.kairo.tools.OutputSchema;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;

/**
 * The tool that writes the changes of a workspace back to its remote storage.
 */
public final class WriteBackTool extends RecordTool<WriteBackTool.Input> {

	private static final Map<String, Object> OUTPUT = new OutputSchema()
		.required("written", OutputSchema.INTEGER, "Number of written files")
		.required("deleted", OutputSchema.INTEGER, "Number of deleted files")
		.required("open", OutputSchema.INTEGER, "Number of changes that are not in the remote storage")
		.results();

	private static final String DESCRIPTION = """
			Writes all changes of the files, those of commands included, back to the remote storage that the workspace \
			comes from. A file that was changed there as well is a conflict: nothing is overwritten, and the version of \
			the remote storage appears beside it, with .remote- in its name. Merge what is needed into the file, delete \
			that version, and write back again.
			unsupported_file_type: this workspace has no remote storage. remote_unreachable and remote_refused: report it \
			instead of trying again.
			Example: {}""";

	/** Maximum number of characters of the changes that were not written. */
	private static final int MAX_PROBLEMS = 4000;

	/**
	 * Creates the tool.
	 */
	public WriteBackTool() {
		this(ToolNaming.CLAUDE);
	}

	/**
	 * Creates the tool.
	 * @param naming the names of the tool and its parameters
	 */
	public WriteBackTool(ToolNaming naming) {
		super(naming.tool("WriteBack"), DESCRIPTION, Input.class, Map.of(), naming, Map.of(),
				new ToolAnnotations(ToolAnnotations.Effect.DESTROYS, true, true, ToolAnnotations.Execution.NONE),
				OUTPUT, ToolDefinition.Answer.TEXT);
	}

	@Override
	protected ToolResult call(Input input, ToolContext context) {
		WorkspaceSync sync = context.currentWorkspace().sync();
		if (sync == null) {
			return ToolResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE.code(),
					"This workspace has no remote storage: its files are where they belong.",
					"Work with its files only.");
		}
		WorkspaceResult<SyncReport> result = sync.writeBack();
		return (result instanceof WorkspaceResult.Failure<SyncReport> failure) ? ToolResult.failure(failure)
				: answer(result.value());
	}

	private static ToolResult answer(SyncReport report) {
		int written = report.with(Outcome.WRITTEN).size();
		int deleted = report.with(Outcome.DELETED).size();
		List<SyncReport.Change> changes = report.changes();
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("written", written);
		data.put("deleted", deleted);
		data.put("open", changes.size() - written - deleted);
		if (changes.isEmpty()) {
			return ToolResult.ok("Nothing has changed.", data);
		}
		String done = Phrase.of("%,d written, %,d deleted.", written, deleted);
		if (report.complete()) {
			return ToolResult.ok(done, data);
		}
		int open = changes.size() - written - deleted;
		String left = Phrase.count(open, "change is", "changes are") + " not in the remote storage";
		String problems = Phrase.visible(Objects.requireNonNull(report.problems()));
		return new ToolResult(
				done + " " + left + ":\n" + problems.substring(0, Math.min(problems.length(), MAX_PROBLEMS)), data,
				null, Completeness.partial(left, null));
	}

	/**
	 * The arguments, none.
	 */
	record Input() {

	}

}

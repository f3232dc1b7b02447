package io.kairo.tools.entry;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.NearNames;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.trash.TrashChange;
import io.kairo.tools.trash.TrashEntry;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link DeleteTool}.
 *
 * @param path the file or directory
 * @param depth whether a directory may have entries
 * @param context the context of the call
 * @param trash the trash of all workspaces
 * @param deadline the deadline for counting
 */
record DeleteCall(WorkspacePath path, WorkspaceChange.Depth depth, ToolContext context, TrashStore trash,
		CallDeadline deadline) {

	private static final Logger logger = System.getLogger(DeleteCall.class.getName());

	private static final String FOR_GOOD = "To delete it for good, call again with permanent set to true.";

	/**
	 * Returns the failure of the call at the moment, null if none is foreseen.
	 */
	@Nullable ToolResult foresee() {
		if (this.path.isRoot()) {
			return root();
		}
		WorkspaceFiles files = this.context.files();
		if (files.info(this.path) instanceof WorkspaceResult.Failure<FileInfo> failure) {
			return failed(failure);
		}
		boolean empty = this.depth == WorkspaceChange.Depth.RECURSIVE
				|| !(files.list(this.path, 1) instanceof WorkspaceResult.Ok<FileListing> listing)
				|| (listing.value().entries().isEmpty() && listing.value().complete());
		return empty ? null : failed(new WorkspaceResult.Failure<>(WorkspaceErrorCode.DIRECTORY_NOT_EMPTY,
				"'" + shownPath() + "' is a directory that is not empty"));
	}

	ToolResult deleteForGood() {
		if (this.path.isRoot()) {
			return root();
		}
		EntryCount count = EntryCount.of(this.path, this.context.files(), this.deadline::isOver);
		WorkspaceResult<ChangeReport> applied = this.context.files()
			.apply(new WorkspaceChange.Delete(this.path, this.depth, null));
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return failed(failure);
		}
		this.context.session().moved(this.path, null, this.context.files());
		Map<String, Object> data = data("deleted");
		count.describe(data);
		return ToolResult.ok(Phrase.of("Deleted '%s'%s for good.", shownPath(), count.phrase()), data);
	}

	ToolResult moveToTrash() {
		if (this.path.isRoot()) {
			return root();
		}
		if (this.context.inTrial()) {
			return deleteForGood(); // a discarded trial brings it back
		}
		try {
			return move(this.trash
				.open(this.context.tenant().tenantId(), this.context.currentWorkspace(), this.context.files())
				.begin(this.deadline::isOver));
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot open the trash", ex);
			return ToolResult.failure(WorkspaceErrorCode.WRITE_FAILED.code(), "The trash cannot be written.", FOR_GOOD);
		}
	}

	private ToolResult move(TrashChange change) {
		WorkspaceResult<WorkspaceChange> move = change.delete(this.path, this.depth, null);
		if (move instanceof WorkspaceResult.Failure<WorkspaceChange> failure) {
			return failed(failure);
		}
		WorkspaceResult<ChangeReport> applied = change.apply(move.value());
		if (applied instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return failed(failure);
		}
		this.context.session().moved(this.path, null, this.context.files());
		TrashEntry entry = change.added().get(0);
		Map<String, Object> data = data("trashed");
		data.put("id", entry.id());
		describe(entry, data);
		String text = Phrase.of("Deleted '%s'%s. It is in the trash as %s.", shownPath(), phrase(entry), entry.id());
		if (change.dropped() > 0) {
			data.put("dropped", change.dropped());
			text += Phrase.of("\n(%,d older deletion%s left the trash to make room)", change.dropped(),
					Phrase.plural(change.dropped()));
		}
		return ToolResult.ok(text, data);
	}

	/**
	 * Adds an entry of the trash to the data of a result.
	 */
	static void describe(TrashEntry entry, Map<String, Object> data) {
		data.put("type", entry.type().name().toLowerCase(Locale.ROOT));
		data.put("files", entry.files());
		data.put("bytes", entry.bytes());
	}

	/**
	 * Returns the size of an entry of the trash for the text of a result.
	 */
	static String phrase(TrashEntry entry) {
		return (entry.type() == FileType.DIRECTORY || entry.type() == FileType.FILE)
				? new EntryCount(entry.type(), entry.files(), entry.bytes(), true).phrase() : "";
	}

	private ToolResult failed(WorkspaceResult.Failure<?> failure) {
		return switch (failure.code()) {
			case FILE_NOT_FOUND -> ToolResult.failure(failure.code().code(), failure.message(),
					NearNames.question(this.path, this.context));
			case DIRECTORY_NOT_EMPTY -> ToolResult.failure(failure.code().code(), failure.message(),
					"Call again with recursive set to true to delete it with everything in it.");
			case QUOTA_EXCEEDED -> ToolResult.failure(failure.code().code(),
					"The trash does not fit into the quota of the workspace: " + failure.message() + ".", FOR_GOOD);
			case TOO_LARGE, WRITE_FAILED ->
				ToolResult.failure(failure.code().code(), failure.message() + ".", FOR_GOOD);
			default -> ToolResult.failure(failure);
		};
	}

	private ToolResult root() {
		return ToolResult.failure(WorkspaceErrorCode.IS_A_DIRECTORY.code(),
				"'" + shownPath() + "' is the root of the workspace, which cannot be deleted.",
				"Give a file or a directory in it.");
	}

	private Map<String, Object> data(String outcome) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("path", shownPath());
		data.put("outcome", outcome);
		return data;
	}

	private String shownPath() {
		return this.context.display(this.path);
	}

}

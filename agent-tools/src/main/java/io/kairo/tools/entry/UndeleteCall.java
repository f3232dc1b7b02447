package io.kairo.tools.entry;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.Completeness;
import io.kairo.tools.CurrentTrial;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.text.Phrase;
import io.kairo.tools.trash.Trash;
import io.kairo.tools.trash.TrashStore;
import org.jspecify.annotations.Nullable;

/**
 * A call of {@link UndeleteTool}.
 *
 * @param path the path as it was given, null for any
 * @param id the id as it was given, null for the newest
 * @param context the context of the call
 * @param store the trash of all workspaces
 */
record UndeleteCall(@Nullable String path, @Nullable String id, ToolContext context, TrashStore store) {

	private static final Logger logger = System.getLogger(UndeleteCall.class.getName());

	private static final int MAX_LISTED = 100;

	private static final String LIST = "Call without arguments to list what can be brought back.";

	ToolResult perform() {
		if (this.context.inTrial()) {
			return CurrentTrial.refusal();
		}
		try {
			Trash trash = this.store.open(this.context.tenant().tenantId(), this.context.currentWorkspace(),
					this.context.files());
			List<Trash.Kept> entries = trash.entries().stream().filter(this::isSpelled).toList();
			return (this.path == null && this.id == null) ? list(entries) : restore(trash, entries);
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot open the trash", ex);
			return ToolResult.failure(WorkspaceErrorCode.READ_FAILED.code(), "The trash cannot be opened.", null);
		}
	}

	/**
	 * Returns whether an entry is from a root that the workspace still has.
	 */
	private boolean isSpelled(Trash.Kept kept) {
		try {
			shown(kept.path());
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private ToolResult list(List<Trash.Kept> entries) {
		List<Map<String, Object>> listed = new ArrayList<>();
		StringBuilder text = new StringBuilder();
		for (Trash.Kept kept : entries.subList(0, Math.min(entries.size(), MAX_LISTED))) {
			Map<String, Object> data = data(kept);
			data.put("deleted", kept.entry().deleted().toString());
			listed.add(data);
			text.append(kept.entry().id())
				.append('\t')
				.append(shown(kept.path()))
				.append(DeleteCall.phrase(kept.entry()))
				.append(", deleted ")
				.append(kept.entry().deleted())
				.append('\n');
		}
		boolean whole = listed.size() == entries.size();
		text.append(entries.isEmpty() ? "The trash is empty."
				: Phrase.of("(%,d of %,d in the trash, the newest first)", listed.size(), entries.size()));
		return new ToolResult(text.toString(), Map.of("outcome", "listed", "entries", listed), null, whole
				? Completeness.COMPLETE
				: Completeness.partial("older deletions are not shown; give their path to bring them back", null));
	}

	private ToolResult restore(Trash trash, List<Trash.Kept> entries) {
		WorkspacePath wanted = (this.path != null) ? this.context.resolve(this.path) : null;
		for (Trash.Kept kept : entries) {
			if ((this.id == null || kept.entry().id().equals(this.id.strip()))
					&& (wanted == null || kept.path().equals(wanted))) {
				return this.context.session().inTurn(List.of(kept.path()), () -> restore(trash, kept));
			}
		}
		return ToolResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND.code(),
				Phrase.of("The trash has no %s%s.",
						(this.id != null) ? "entry " + WorkspacePath.quote(this.id) : "deleted '" + shown(wanted) + "'",
						(this.id != null && wanted != null) ? " of '" + shown(wanted) + "'" : ""),
				above(wanted, entries));
	}

	/**
	 * Names the deleted directory that a path was in.
	 */
	private String above(@Nullable WorkspacePath wanted, List<Trash.Kept> entries) {
		for (Trash.Kept kept : entries) {
			if (wanted != null && wanted.startsWith(kept.path()) && !wanted.equals(kept.path())) {
				return "'" + shown(kept.path()) + "' was deleted as a whole: bring it back with id " + kept.entry().id()
						+ ".";
			}
		}
		return LIST;
	}

	private ToolResult restore(Trash trash, Trash.Kept kept) {
		WorkspaceResult<ChangeReport> restored = trash.restore(kept);
		if (restored instanceof WorkspaceResult.Failure<ChangeReport> failure) {
			return switch (failure.code()) {
				case FILE_EXISTS -> ToolResult.failure(failure.code().code(), failure.message(),
						"Move what is there now to another path, then call again with id " + kept.entry().id() + ".");
				case FILE_NOT_FOUND -> ToolResult.failure(failure.code().code(), failure.message(), LIST);
				default -> ToolResult.failure(failure);
			};
		}
		Map<String, Object> data = data(kept);
		data.put("outcome", "restored");
		return ToolResult.ok(Phrase.of("Restored '%s'%s.", shown(kept.path()), DeleteCall.phrase(kept.entry())), data);
	}

	private Map<String, Object> data(Trash.Kept kept) {
		Map<String, Object> data = new LinkedHashMap<>();
		data.put("id", kept.entry().id());
		data.put("path", shown(kept.path()));
		DeleteCall.describe(kept.entry(), data);
		return data;
	}

	private String shown(@Nullable WorkspacePath shown) {
		return (shown != null) ? this.context.display(shown) : "";
	}

}

package io.kairo.tools.edit;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.ToolContext;
import io.kairo.tools.trash.TrashChange;
import io.kairo.tools.trash.TrashEntry;
import io.kairo.tools.trash.TrashStore;

/**
 * The files that a call deletes. They are kept in the trash. For use by one thread.
 */
final class Deletions {

	private static final Logger logger = System.getLogger(Deletions.class.getName());

	private static final String NEXT = "Nothing was changed. Leave the deletion out, and delete the file for good.";

	private final ToolContext context;

	private final TrashStore store;

	private final List<EditedFile> files = new ArrayList<>();

	private int dropped;

	Deletions(ToolContext context, TrashStore store) {
		this.context = context;
		this.store = store;
	}

	/**
	 * Adds a file, whose change is the next deletion.
	 */
	void add(EditedFile file) {
		this.files.add(file);
	}

	/**
	 * Applies all changes of the call, the deletions among them.
	 * @throws EditRefusal if the trash cannot keep a file
	 */
	WorkspaceResult<ChangeReport> apply(List<WorkspaceChange> changes) throws EditRefusal {
		TrashChange kept = open();
		List<WorkspaceChange> moves = new ArrayList<>();
		for (WorkspaceChange change : changes) {
			moves.add((change instanceof WorkspaceChange.Delete delete) ? move(delete, kept) : change);
		}
		WorkspaceResult<ChangeReport> applied = kept.apply(new WorkspaceChange.Batch(moves));
		Iterator<TrashEntry> entries = kept.added().iterator();
		this.files.forEach((file) -> file.trashed(entries.next().id()));
		this.dropped = kept.dropped();
		return applied;
	}

	private TrashChange open() throws EditRefusal {
		try {
			return this.store
				.open(this.context.tenant().tenantId(), this.context.currentWorkspace(), this.context.files())
				.begin(() -> false); // nothing to count, since these are no directories
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Cannot open the trash", ex);
			throw new EditRefusal(WorkspaceErrorCode.WRITE_FAILED.code(), "The trash cannot be written.", NEXT);
		}
	}

	private static WorkspaceChange move(WorkspaceChange.Delete delete, TrashChange kept) throws EditRefusal {
		WorkspaceResult<WorkspaceChange> move = kept.delete(delete.path(), delete.depth(), delete.expectedVersion());
		if (move instanceof WorkspaceResult.Failure<WorkspaceChange> failure) {
			kept.discard();
			throw new EditRefusal(failure.code().code(), failure.message() + ".", NEXT);
		}
		return move.value();
	}

	/**
	 * Returns the number of older deletions that left the trash.
	 */
	int dropped() {
		return this.dropped;
	}

}

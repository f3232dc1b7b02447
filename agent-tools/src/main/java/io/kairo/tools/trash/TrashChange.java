package io.kairo.tools.trash;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.text.Phrase;
import org.jspecify.annotations.Nullable;

/**
 * A change that keeps the files it deletes, alone or in a batch with other changes. For
 * use by one thread.
 */
public final class TrashChange {

	private static final Logger logger = System.getLogger(TrashChange.class.getName());

	private final Trash trash;

	private final BooleanSupplier over;

	private final List<TrashEntry> added = new ArrayList<>();

	private int dropped;

	TrashChange(Trash trash, BooleanSupplier over) {
		this.trash = trash;
		this.over = over;
	}

	/**
	 * Returns the change that moves an entry into the trash, to be given to
	 * {@link #apply(WorkspaceChange)}.
	 * @param path the entry to delete
	 * @param depth whether a directory may have entries
	 * @param expectedVersion the expected version of a file, may be null
	 * @return the change, or a failure: {@code directory_not_empty}, or {@code too_large}
	 * if the trash cannot keep the entry
	 */
	public WorkspaceResult<WorkspaceChange> delete(WorkspacePath path, WorkspaceChange.Depth depth,
			@Nullable String expectedVersion) {
		TrashContent content = TrashContent.of(path, this.trash.files(), this.over);
		if (content.type() == FileType.DIRECTORY && depth == WorkspaceChange.Depth.SINGLE) {
			long count = TrashContent.count(path, this.trash.files());
			if (count > 0) {
				return WorkspaceResult.failure(WorkspaceErrorCode.DIRECTORY_NOT_EMPTY,
						Phrase.of("'%s' is a directory with %s", shown(path), Phrase.count(count, "entry")));
			}
		}
		TrashRoom room = this.trash.room();
		if (content.unknown() != null) {
			return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
					"The trash cannot keep '" + shown(path) + "': " + content.unknown());
		}
		long bytes = content.bytes() + this.added.stream().mapToLong(TrashEntry::bytes).sum();
		long entries = content.entries() + this.added.stream().mapToLong(TrashEntry::entries).sum();
		if (bytes > room.bytes() || entries > room.files()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
					Phrase.of("'%s'%s has %s in %,d files and directories, and the trash keeps %s in %,d at most",
							shown(path), this.added.isEmpty() ? "" : " with what is deleted before it",
							Phrase.count(bytes, "byte"), entries, Phrase.count(room.bytes(), "byte"), room.files()));
		}
		try {
			TrashEntry entry = this.trash.create(path, content);
			this.added.add(entry);
			return WorkspaceResult.ok(new WorkspaceChange.Move(path, this.trash.within(entry),
					WorkspaceChange.Overwrite.REFUSE, expectedVersion));
		}
		catch (IOException | WorkspaceException ex) {
			logger.log(Level.WARNING, "Cannot write to the trash", ex);
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"The trash cannot keep '" + shown(path) + "', as it cannot be written");
		}
	}

	private String shown(WorkspacePath path) {
		return this.trash.files().display(path);
	}

	/**
	 * Gives up a change that is not applied.
	 */
	public void discard() {
		this.trash.discard(this.added);
	}

	/**
	 * Applies a change. Afterwards, the oldest entries are dropped from a trash that is
	 * full.
	 * @param change the change returned by {@link #delete}, or a batch with it
	 * @return the effects of the change, where a deletion is a move into the trash; or a
	 * failure, if nothing was changed
	 */
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return this.trash.apply(change, List.copyOf(this.added), this);
	}

	/**
	 * Returns the entries that the change has added to the trash.
	 * @return the entries in the order of the deletions
	 */
	public List<TrashEntry> added() {
		return List.copyOf(this.added);
	}

	/**
	 * Returns the number of older entries that were dropped to make room.
	 * @return the number
	 */
	public int dropped() {
		return this.dropped;
	}

	void dropped(int count) {
		this.dropped += count;
	}

}

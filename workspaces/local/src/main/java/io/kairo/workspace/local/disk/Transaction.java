package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.workspace.local.disk.handle.OpenDirectory;

/**
 * A change in progress: the entries to clean up at its end, and the steps to undo it.
 * Both are in the journal before they are needed. For use by one thread.
 */
final class Transaction implements AutoCloseable {

	private final SharedState state;

	/** The number of this transaction in the journal. */
	private final long number;

	private final Undo.Stack undos = new Undo.Stack();

	private final List<EntryRef> temporaries = new ArrayList<>();

	private final Set<Path> names = new HashSet<>();

	/** Temporary entries whose directory was moved, in their current directory. */
	private final List<EntryRef> relocated = new ArrayList<>();

	/** The open directories by identity and path, each of them once. */
	private final Map<String, OpenDirectory> owned = new HashMap<>();

	private boolean ended;

	/** Whether the change can no longer be undone. */
	private boolean happened;

	Transaction(SharedState state) {
		this.state = state;
		this.number = state.journal().begin();
	}

	/**
	 * Keeps a directory open until the end, or closes it if the same directory is open
	 * already.
	 * @return the directory to use, possibly another handle of the same
	 */
	OpenDirectory own(OpenDirectory directory) throws IOException {
		try {
			String key = EntryRef.identity(directory.self()) + directory.path();
			OpenDirectory known = this.owned.putIfAbsent(key, directory);
			if (known == null) {
				return directory;
			}
			directory.close();
			return known;
		}
		catch (IOException ex) {
			directory.close();
			throw ex;
		}
	}

	/**
	 * Announces a step that changes something on disk.
	 */
	void step(String name) throws IOException {
		this.state.faultPoints().before(name);
	}

	private void journal(JournalRecord line) throws IOException {
		step("journal");
		this.state.journal().record(line);
	}

	/**
	 * Returns a temporary name. Its entry is removed at the end, unless it is moved away.
	 */
	EntryRef temporary(OpenDirectory directory) throws IOException {
		EntryRef ref = new EntryRef(directory, this.state.names().next(directory.path()));
		journal(JournalRecord.temporary(this.number, ref));
		this.temporaries.add(ref);
		this.names.add(ref.name());
		return ref;
	}

	/**
	 * Returns whether a name is a temporary one of this change.
	 */
	boolean isTemporary(Path name) {
		return this.names.contains(name);
	}

	/**
	 * Returns whether there is a temporary entry in a directory, or further below.
	 * @param directory the physical path of the directory
	 */
	boolean hasTemporaryIn(Path directory) {
		return this.temporaries.stream().anyMatch((ref) -> ref.directory().path().startsWith(directory));
	}

	/**
	 * Records the undo of the next step.
	 */
	void undoBy(Undo undo) throws IOException {
		journal(JournalRecord.undo(this.number, undo));
		this.undos.add(undo);
	}

	/**
	 * Announces that a directory was moved, possibly with temporary entries in it.
	 */
	void moved(Path from, EntryRef to) throws IOException {
		for (EntryRef ref : this.temporaries) {
			Path path = ref.directory().path();
			if (path.startsWith(from)) {
				OpenDirectory directory = own(to.directory().directory(to.name()));
				for (int i = from.getNameCount(); i < path.getNameCount(); i++) {
					directory = own(directory.directory(path.getName(i)));
				}
				EntryRef moved = new EntryRef(directory, ref.name());
				journal(JournalRecord.relocated(this.number, moved));
				this.relocated.add(moved);
			}
		}
	}

	/**
	 * Makes renames and deletions in directories durable.
	 */
	void settle(OpenDirectory... directories) throws IOException {
		step("dirsync");
		for (OpenDirectory directory : directories) {
			directory.force();
		}
	}

	/**
	 * Makes a change durable that consists of a single step and cannot be undone.
	 * @throws NotDurableException if it cannot be made durable
	 */
	void settleForGood(OpenDirectory... directories) throws IOException {
		this.happened = true;
		try {
			settle(directories);
		}
		catch (IOException ex) {
			throw new NotDurableException(ex);
		}
	}

	/**
	 * Commits the change and removes its temporary entries. Failed removals are retried
	 * later.
	 */
	void commit() throws IOException {
		if (!this.undos.isEmpty()) {
			recordCommit();
		}
		this.ended = true;
		IOException failure = null;
		List<EntryRef> left = new ArrayList<>();
		this.temporaries.addAll(this.relocated);
		for (EntryRef ref : this.temporaries) {
			try {
				discard(ref);
			}
			catch (IOException ex) {
				failure = ex;
				left.add(ref);
			}
		}
		if (failure != null) {
			this.state.pendingDeletions()
				.add(this.number, left.stream().map((ref) -> JournalRecord.temporary(this.number, ref)).toList(),
						failure);
		}
		boolean done = (failure == null);
		DiskAction.attempt(() -> end(done));
	}

	private void end(boolean done) throws IOException {
		step("done");
		this.state.journal().end(this.number, done);
	}

	private void recordCommit() throws IOException {
		try {
			step("commit");
			this.state.journal().record(JournalRecord.of(this.number, JournalRecord.COMMIT));
		}
		catch (IOException ex) {
			throw this.happened ? new NotDurableException(ex) : ex;
		}
	}

	/**
	 * Removes an unused backup before the directory that contains it.
	 */
	private void discardBackup(Undo undo) throws IOException {
		if (undo.kind() == Undo.Kind.BACK && this.temporaries.contains(undo.ref()) && !undo.isLastCopy()) {
			discard(undo.ref());
		}
	}

	private void discard(EntryRef ref) throws IOException {
		BasicFileAttributes attributes = ref.find();
		if (attributes != null) {
			step("discard");
			ref.remove();
		}
	}

	/**
	 * Rolls the change back as far as possible.
	 */
	private void rollBack() {
		this.ended = true;
		boolean complete = true;
		Map<String, String> originals = this.undos.originals();
		for (EntryRef ref : this.temporaries) {
			if (!this.undos.movesBack(ref)) {
				complete &= DiskAction.attempt(() -> discard(ref));
			}
		}
		for (Undo undo : this.undos) {
			complete &= DiskAction.attempt(() -> {
				step("undo");
				undo.run(originals);
				discardBackup(undo);
			}) && !undo.isLastCopy();
		}
		boolean done = complete;
		DiskAction.attempt(() -> end(done));
	}

	/**
	 * Rolls the change back unless it was committed.
	 */
	@Override
	public void close() throws IOException {
		try {
			if (!this.ended) {
				rollBack();
			}
		}
		finally {
			for (OpenDirectory directory : this.owned.values()) {
				directory.close();
			}
		}
	}

	/**
	 * The state that all changes made through one factory share.
	 *
	 * @param journal records the steps of the changes
	 * @param locks keep changes of the same files apart
	 * @param names makes temporary names
	 * @param faultPoints called before each step
	 * @param pendingDeletions deleted entries that could not be removed yet
	 */
	record SharedState(WriteJournal journal, PathLocks locks, TemporaryNames names, FaultPoints faultPoints,
			PendingDeletions pendingDeletions) {

	}

}

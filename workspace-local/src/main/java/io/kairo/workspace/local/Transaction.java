package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A change under way: what it has to clean up in the end, and how to take it back. Each
 * is in the journal before it is needed. For use by one thread.
 */
final class Transaction implements AutoCloseable {

	private final TemporaryNames names;

	private final ChangeLog log;

	private final WayBack wayBack = new WayBack();

	private final List<Spot> temporaries = new ArrayList<>();

	/** Where temporary names are by now, as what they are in was moved. */
	private final List<Spot> relocated = new ArrayList<>();

	private final OwnedDirectories owned = new OwnedDirectories();

	private boolean ended;

	/** Whether it is too late to take anything back. */
	private boolean happened;

	Transaction(WriteState state) {
		this.names = state.names();
		this.log = new ChangeLog(state);
	}

	/**
	 * Keeps a directory open until the end.
	 * @return the directory to use, which may be another handle of the same
	 */
	OpenDirectory own(OpenDirectory directory) throws IOException {
		return this.owned.add(directory);
	}

	void step(String name) throws IOException {
		this.log.step(name);
	}

	/**
	 * Returns a name for something that is gone in the end, unless it is moved away.
	 */
	Spot temporary(OpenDirectory directory) throws IOException {
		Spot spot = new Spot(directory, this.names.next(directory.path()));
		this.log.temporary(spot);
		this.temporaries.add(spot);
		return spot;
	}

	/**
	 * Says how to take back what is done next.
	 */
	void undoBy(Undo undo) throws IOException {
		this.log.undo(undo);
		this.wayBack.add(undo);
	}

	/**
	 * Says that a directory was moved, possibly with temporary names in it.
	 */
	void moved(Path from, Spot to) throws IOException {
		for (Spot spot : this.temporaries) {
			Path path = spot.directory().path();
			if (path.startsWith(from)) {
				OpenDirectory directory = own(to.directory().directory(to.name()));
				for (int i = from.getNameCount(); i < path.getNameCount(); i++) {
					directory = own(directory.directory(path.getName(i)));
				}
				Spot moved = new Spot(directory, spot.name());
				this.log.relocated(moved);
				this.relocated.add(moved);
			}
		}
	}

	/**
	 * Makes durable what was renamed or deleted in directories.
	 */
	void settle(OpenDirectory... directories) throws IOException {
		step("dirsync");
		for (OpenDirectory directory : directories) {
			directory.force();
		}
	}

	/**
	 * Makes durable what is all of the change and has no way back.
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
	 * Makes all that was done hold, and removes what is not needed any more. What cannot
	 * be removed has a temporary name, and is tried again later.
	 */
	void commit() throws IOException {
		if (!this.wayBack.isEmpty()) {
			recordCommit();
		}
		this.ended = true;
		IOException failure = null;
		List<Spot> left = new ArrayList<>();
		this.temporaries.addAll(this.relocated);
		for (Spot spot : this.temporaries) {
			try {
				discard(spot);
			}
			catch (IOException ex) {
				failure = ex;
				left.add(spot);
			}
		}
		if (failure != null) {
			this.log.leave(left, failure);
		}
		boolean done = (failure == null);
		DiskAction.attempt(() -> this.log.end(done));
	}

	private void recordCommit() throws IOException {
		try {
			this.log.commit();
		}
		catch (IOException ex) {
			throw this.happened ? new NotDurableException(ex) : ex;
		}
	}

	/**
	 * Removes a copy that was not needed, before the directory goes that it is in.
	 */
	private void discardBackup(Undo undo) throws IOException {
		if (undo.kind() == Undo.Kind.BACK && this.temporaries.contains(undo.spot()) && !undo.isLastCopy()) {
			discard(undo.spot());
		}
	}

	private void discard(Spot spot) throws IOException {
		BasicFileAttributes attributes = spot.find();
		if (attributes != null) {
			step("discard");
			TreeRemoval.remove(spot);
		}
	}

	/**
	 * Takes back all that was done, as far as possible.
	 */
	private void rollBack() {
		this.ended = true;
		boolean complete = true;
		Map<String, String> originals = this.wayBack.originals();
		for (Spot spot : this.temporaries) {
			if (!this.wayBack.leadsFrom(spot)) {
				complete &= DiskAction.attempt(() -> discard(spot));
			}
		}
		for (Undo undo : this.wayBack) {
			complete &= DiskAction.attempt(() -> {
				step("undo");
				undo.run(originals);
				discardBackup(undo);
			}) && !undo.isLastCopy();
		}
		boolean done = complete;
		DiskAction.attempt(() -> this.log.end(done));
	}

	/**
	 * Takes everything back unless it was committed.
	 */
	@Override
	public void close() throws IOException {
		try {
			if (!this.ended) {
				rollBack();
			}
		}
		finally {
			this.owned.close();
		}
	}

}

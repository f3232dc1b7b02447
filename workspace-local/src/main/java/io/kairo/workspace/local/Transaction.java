package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A change under way: what it has to clean up in the end, and how to take it back. Each
 * is in the journal before it is needed. For use by one thread.
 */
final class Transaction implements AutoCloseable {

	private final WriteState state;

	private final DirectoryOpener opener;

	private final long number;

	private final Deque<Undo> undos = new ArrayDeque<>();

	private final List<Spot> temporaries = new ArrayList<>();

	/** Where directories and links are made before they are moved to their place. */
	private final Map<Path, Spot> stagings = new HashMap<>();

	private final List<OpenDirectory> owned = new ArrayList<>();

	private boolean ended;

	Transaction(WriteState state, DirectoryOpener opener) {
		this.state = state;
		this.opener = opener;
		this.number = state.journal().begin();
	}

	/**
	 * Keeps a directory open until the end.
	 */
	OpenDirectory own(OpenDirectory directory) {
		this.owned.add(directory);
		return directory;
	}

	void step(String name) throws IOException {
		this.state.steps().before(name);
	}

	/**
	 * Returns a name for something that is gone in the end, unless it is moved away.
	 */
	Spot temporary(OpenDirectory directory) throws IOException {
		Spot spot = new Spot(directory, this.state.names().next(directory.path()));
		step("journal");
		this.state.journal().record(JournalRecord.temporary(this.number, spot));
		this.temporaries.add(spot);
		return spot;
	}

	/**
	 * Says how to take back what is done next.
	 */
	void undoBy(Undo undo) throws IOException {
		step("journal");
		this.state.journal().record(JournalRecord.undo(this.number, undo));
		this.undos.push(undo);
	}

	/**
	 * Makes a directory, which is removed again if all is taken back.
	 * @return the directory, open until the end
	 */
	OpenDirectory makeDirectory(Spot spot) throws IOException {
		Spot staged = stageDirectory(spot.directory());
		undoBy(Undo.removeEmpty(spot, staged.identity()));
		place(staged, spot);
		return own(spot.directory().directory(spot.name()));
	}

	/**
	 * Makes a directory inside of what has a temporary name, or of that name.
	 */
	void makeTemporaryDirectory(Spot spot) throws IOException {
		place(stageDirectory(spot.directory()), spot);
	}

	/**
	 * Makes a link inside of what has a temporary name, or of that name.
	 */
	void makeTemporaryLink(Spot spot, Path text) throws IOException {
		Spot staged = staging(spot.directory());
		step("link");
		Files.createSymbolicLink(trusted(staged), text);
		place(staged, spot);
	}

	private Spot stageDirectory(OpenDirectory parent) throws IOException {
		Spot staged = staging(parent);
		step("mkdir");
		Files.createDirectory(trusted(staged));
		return staged;
	}

	private void place(Spot staged, Spot spot) throws IOException {
		step("mkdir-rename");
		staged.moveTo(spot);
		spot.directory().force();
	}

	/**
	 * Directories and links can only be made by path, and the only path to be trusted is
	 * that of the directory where the descent started: nobody can swap what is above it.
	 */
	private Spot staging(OpenDirectory parent) throws IOException {
		// Where the whole file system is allowed, there is nothing to be confined.
		Path area = (parent.base().getParent() == null) ? parent.path() : parent.base();
		Spot staging = this.stagings.get(area);
		if (staging == null) {
			staging = temporary(own(this.opener.open(area)));
			this.stagings.put(area, staging);
		}
		return staging;
	}

	private static Path trusted(Spot staged) throws IOException {
		Path area = staged.directory().path();
		if (!area.toRealPath().equals(area)) {
			throw new RacedException();
		}
		return area.resolve(staged.name());
	}

	/**
	 * Makes all that was done hold, and removes what is not needed any more.
	 */
	void commit() throws IOException {
		if (!this.undos.isEmpty()) {
			step("commit");
			this.state.journal().record(JournalRecord.of(this.number, JournalRecord.COMMIT));
		}
		this.ended = true;
		boolean complete = true;
		for (Spot spot : this.temporaries) {
			try {
				discard(spot);
			}
			catch (IOException ex) {
				if (this.undos.size() == 1 && this.undos.element().isMoveBackFrom(spot)) {
					putBack(ex);
				}
				complete = false; // the next sweep tries again
			}
		}
		boolean done = complete;
		attempt(() -> end(done));
	}

	/**
	 * Puts back what is left of a tree that was to be deleted and cannot be removed as a
	 * whole.
	 */
	private void putBack(IOException failure) throws IOException {
		attempt(() -> this.undos.element().run(originals()));
		attempt(() -> end(true));
		throw failure;
	}

	private Map<String, String> originals() {
		Map<String, String> originals = new HashMap<>();
		this.undos.forEach((undo) -> undo.collect(originals));
		return originals;
	}

	private void discardBackup(Undo undo) throws IOException {
		if (undo.kind() == Undo.Kind.BACK && this.temporaries.contains(undo.spot())) {
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
		Map<String, String> originals = originals();
		for (Spot spot : this.temporaries) {
			if (this.undos.stream().noneMatch((undo) -> undo.isMoveBackFrom(spot))) {
				complete &= attempt(() -> discard(spot));
			}
		}
		for (Undo undo : this.undos) {
			complete &= attempt(() -> {
				step("undo");
				undo.run(originals);
			});
		}
		for (Undo undo : this.undos) {
			complete &= !undo.isLastCopy() && attempt(() -> discardBackup(undo));
		}
		boolean done = complete;
		attempt(() -> end(done));
	}

	private void end(boolean done) throws IOException {
		step("done");
		this.state.journal().end(this.number, done);
	}

	private static boolean attempt(Action action) {
		try {
			action.run();
			return true;
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
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
			for (OpenDirectory directory : this.owned) {
				directory.close();
			}
		}
	}

	/**
	 * Does something on disk.
	 */
	@FunctionalInterface
	private interface Action {

		void run() throws IOException;

	}

}

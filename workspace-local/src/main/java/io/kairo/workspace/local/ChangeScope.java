package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;

/**
 * Where the single changes of one attempt find their places: only where the paths were
 * locked.
 *
 * @param confinement what may be reached
 * @param policy what may be written
 * @param transaction what is under way
 * @param locked the paths without links that are locked
 * @param alone whether this is no batch, so that a single atomic step needs no way back
 */
record ChangeScope(Confinement confinement, PhysicalPolicy policy, Transaction transaction, Set<Path> locked,
		boolean alone) {

	/**
	 * Returns the same scope where each step has a way back.
	 */
	ChangeScope reversible() {
		return new ChangeScope(this.confinement, this.policy, this.transaction, this.locked, false);
	}

	/**
	 * Goes to a path.
	 */
	Slot slot(WorkspacePath path, Goal goal) throws IOException, RefusedException {
		try {
			return locked(path, goal);
		}
		catch (RefusedException ex) {
			throw ex.about(path);
		}
	}

	private Slot locked(WorkspacePath path, Goal goal) throws IOException, RefusedException {
		Slot found = Descent.to(this.confinement, this.confinement.roots().start(path), goal);
		Slot slot = new Slot(this.transaction.own(found.directory()), found.names(), found.attributes());
		Path physical = slot.physical();
		if (!this.locked.contains(physical)) {
			throw new UnlockedException(physical);
		}
		return slot;
	}

	/**
	 * Makes the directories that are missing above a path.
	 * @return the path in a directory that exists
	 */
	Slot withParents(Slot slot) throws IOException, RefusedException {
		slot.requireReachable();
		List<Path> names = slot.names();
		OpenDirectory directory = slot.directory();
		for (Path name : names.subList(0, names.size() - 1)) {
			directory = makeDirectory(new Spot(directory, name));
		}
		return new Slot(directory, List.of(names.get(names.size() - 1)), slot.attributes());
	}

	/**
	 * Makes a directory, which is removed again if all is taken back.
	 * @return the directory, open until the end
	 */
	OpenDirectory makeDirectory(Spot spot) throws IOException {
		Spot made = this.transaction.temporary(spot.directory());
		this.transaction.step("mkdir");
		made.directory().newDirectory(made.name());
		made.directory().handDown(made.name());
		this.transaction.undoBy(Undo.removeEmpty(spot, made.identity()));
		this.transaction.step("mkdir-rename");
		made.moveTo(spot);
		spot.directory().force();
		return this.transaction.own(spot.directory().directory(spot.name()));
	}

	/**
	 * Puts what has a temporary name in its place, atomically, and in a batch so that it
	 * can be taken back.
	 */
	void place(Spot temporary, Slot slot) throws IOException, RefusedException {
		Spot target = slot.spot();
		if (!this.alone) {
			String identity = temporary.identity();
			backUp(slot, identity);
			this.transaction.undoBy(Undo.remove(target, identity));
		}
		requireUnchanged(slot);
		this.transaction.step("rename");
		temporary.moveTo(target);
		settle(target.directory());
	}

	/**
	 * Makes a renaming or a deletion durable.
	 */
	void settle(OpenDirectory... directories) throws IOException {
		if (this.alone) {
			this.transaction.settleForGood(directories);
		}
		else {
			this.transaction.settle(directories);
		}
	}

	/**
	 * Keeps a copy of a file that is to be replaced.
	 */
	void backUp(Slot slot, String replacement) throws IOException, RefusedException {
		BasicFileAttributes attributes = slot.attributes();
		if (attributes != null) {
			Spot backup = this.transaction.temporary(slot.directory());
			this.transaction.step("backup");
			new TreeCopy(this.transaction, this.confinement.hidden()).copy(slot.spot(), attributes, backup);
			this.transaction
				.undoBy(Undo.restore(backup, backup.identity(), Spot.identity(attributes), slot.spot(), replacement));
		}
	}

	/**
	 * Looks again at what is about to be replaced or moved: others may write without
	 * locks.
	 */
	void requireUnchanged(Slot slot) throws IOException {
		if (!Spot.identity(slot.attributes()).equals(slot.spot().identity())) {
			throw new RacedException();
		}
	}

}

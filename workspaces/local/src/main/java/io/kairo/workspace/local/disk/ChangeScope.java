package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Set;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;

/**
 * The scope of the changes of one attempt. Only locked paths can be changed.
 *
 * @param confinement the limits of a descent
 * @param policy the write policy
 * @param transaction the transaction in progress
 * @param locked the locked paths, without links
 * @param alone whether the change is not part of a batch, so that a single atomic step
 * needs no undo
 */
record ChangeScope(Confinement confinement, PhysicalPolicy policy, Transaction transaction, Set<Path> locked,
		boolean alone) {

	/**
	 * Returns the same scope with an undo for each step.
	 */
	ChangeScope reversible() {
		return new ChangeScope(this.confinement, this.policy, this.transaction, this.locked, false);
	}

	/**
	 * Descends to the target of a change.
	 */
	DescentResult locate(WorkspacePath path, Descent.Goal goal) throws IOException, RefusedException {
		try {
			return locked(path, goal);
		}
		catch (RefusedException ex) {
			throw ex.about(path);
		}
	}

	private DescentResult locked(WorkspacePath path, Descent.Goal goal) throws IOException, RefusedException {
		DescentResult found = Descent.to(this.confinement, this.confinement.roots().route(path), goal);
		DescentResult target = new DescentResult(this.transaction.own(found.directory()), found.names(),
				found.attributes());
		requireLocked(target.physical());
		return target;
	}

	private void requireLocked(Path path) throws UnlockedException {
		if (!this.locked.contains(path)) {
			throw new UnlockedException(path);
		}
	}

	/**
	 * Checks that a new entry does not make its directory a Git repository.
	 */
	void requireNoRepository(EntryRef entry) throws IOException, RefusedException {
		AnyDepthPolicy anyDepth = this.policy.anyDepth();
		Path lock = anyDepth.repositoryLock(entry.directory().path().resolve(entry.name()));
		if (lock != null) {
			requireLocked(lock);
			anyDepth.requireNoRepository(entry);
		}
	}

	/**
	 * Creates the missing directories above a target.
	 * @return the same target in an existing directory
	 */
	DescentResult withParents(DescentResult target) throws IOException, RefusedException {
		target.requireReachable();
		List<Path> names = target.names();
		OpenDirectory directory = target.directory();
		for (Path name : names.subList(0, names.size() - 1)) {
			directory = makeDirectory(new EntryRef(directory, name));
		}
		return new DescentResult(directory, List.of(names.get(names.size() - 1)), target.attributes());
	}

	/**
	 * Creates a directory. A rollback removes it.
	 * @return the directory, open until the end of the transaction
	 */
	OpenDirectory makeDirectory(EntryRef ref) throws IOException, RefusedException {
		requireNoRepository(ref);
		EntryRef made = this.transaction.temporary(ref.directory());
		this.transaction.step("mkdir");
		made.directory().newDirectory(made.name());
		made.directory().handDown(made.name());
		this.transaction.undoBy(Undo.removeEmpty(ref, made.identity()));
		this.transaction.step("mkdir-rename");
		made.moveTo(ref);
		ref.directory().force();
		return this.transaction.own(ref.directory().directory(ref.name()));
	}

	/**
	 * Renames a temporary entry to its target, atomically and, in a batch, with an undo.
	 */
	void place(EntryRef temporary, DescentResult target) throws IOException, RefusedException {
		EntryRef place = target.ref();
		requireNoRepository(place);
		if (!this.alone) {
			String identity = temporary.identity();
			if (!backUp(target, identity)) {
				this.transaction.undoBy(Undo.remove(place, identity));
			}
		}
		requireUnchanged(target);
		this.transaction.step("rename");
		temporary.moveTo(place);
		settle(target.directory());
	}

	/**
	 * Renames an entry to a temporary name, so that all of it is deleted at once.
	 */
	void putAside(DescentResult entry) throws IOException, RefusedException {
		EntryRef ref = entry.ref();
		EntryRef aside = this.transaction.temporary(entry.directory());
		this.transaction.undoBy(Undo.moveBack(aside, EntryRef.identity(entry.attributes()), ref, EntryRef.NOTHING));
		requireUnchanged(entry);
		this.transaction.step("aside");
		try {
			ref.moveTo(aside);
		}
		catch (AtomicMoveNotSupportedException ex) {
			copyAside(entry, ex);
		}
		this.transaction.settle(entry.directory());
	}

	/**
	 * Copies a directory that an overlay shows, and cannot rename, to a temporary name.
	 */
	private void copyAside(DescentResult entry, AtomicMoveNotSupportedException reason)
			throws IOException, RefusedException {
		BasicFileAttributes attributes = entry.attributes();
		if (attributes == null || this.transaction.hasTemporaryIn(entry.physical())) {
			throw reason;
		}
		EntryRef copy = this.transaction.temporary(entry.directory());
		new TreeCopy(this.transaction, this.confinement.hidden()).copy(entry.ref(), attributes, copy);
		this.transaction.undoBy(Undo.moveBack(copy, copy.identity(), entry.ref(), EntryRef.NOTHING));
		this.transaction.step("remove");
		entry.ref().remove();
	}

	/**
	 * Makes a rename or a deletion durable.
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
	 * Copies a file that is about to be replaced. A rollback renames the copy over its
	 * replacement, so that readers find a file at any time.
	 * @return whether there is such a file
	 */
	boolean backUp(DescentResult target, String replacement) throws IOException, RefusedException {
		BasicFileAttributes attributes = target.attributes();
		if (attributes == null) {
			return false;
		}
		EntryRef backup = this.transaction.temporary(target.directory());
		this.transaction.step("backup");
		new TreeCopy(this.transaction, this.confinement.hidden()).copy(target.ref(), attributes, backup);
		this.transaction
			.undoBy(Undo.restore(backup, backup.identity(), EntryRef.identity(attributes), target.ref(), replacement));
		return true;
	}

	/**
	 * Checks that an entry about to be replaced or moved is unchanged, as other processes
	 * may write without locks.
	 */
	void requireUnchanged(DescentResult target) throws IOException {
		if (!EntryRef.identity(target.attributes()).equals(target.ref().identity())) {
			throw new RacedException();
		}
	}

}

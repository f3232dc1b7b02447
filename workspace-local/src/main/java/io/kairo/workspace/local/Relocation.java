package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.api.workspace.ChangeReport.Line;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Performs the changes of two paths: moves and copies.
 */
final class Relocation {

	private final ChangeScope scope;

	private final Transaction transaction;

	Relocation(ChangeScope scope) {
		this.scope = scope;
		this.transaction = scope.transaction();
	}

	Line move(WorkspaceChange.Move change) throws IOException, RefusedException {
		Slot source = source(change.path(), Goal.ENTRY);
		this.scope.policy().requireRemovable(source.physical());
		ExpectedVersion.require(change.expectedVersion(), source);
		Slot respelled = respelled(change.target(), source);
		Slot target = (respelled != null) ? respelled : target(change.target(), source, change.overwrite());
		if (target == null) {
			return new Line(change.target(), false, ContentReader.version(change.target(), source.spot()));
		}
		if (source.isDirectory() && target.depth() > source.depth()
				&& TreeDepth.isMoreThan(PathSyntax.MAX_NAMES - target.depth(), source.spot())) {
			throw RefusedException.tooDeep().about(change.target());
		}
		Slot placed = this.scope.withParents(target);
		try {
			rename(source, placed);
		}
		catch (AtomicMoveNotSupportedException ex) {
			TreeRemoval.requireRemovable(source.spot());
			this.scope.reversible().place(copyOf(source, placed), placed);
			putAside(source);
		}
		return new Line(change.target(), true, ContentReader.version(change.target(), placed.spot()));
	}

	/**
	 * Finds out whether a move changes nothing but how the name of an entry is spelled.
	 * @return the same place with the new name; null if it is another one
	 */
	private @Nullable Slot respelled(WorkspacePath path, Slot source) throws IOException, RefusedException {
		Path name = path.root().getFileSystem().getPath(path.name());
		if (this.scope.confinement().matching() == NameMatching.FILE_SYSTEM || name.equals(source.name())
				|| !FoldedNames.fold(path.name()).equals(FoldedNames.fold(source.name().toString()))) {
			return null;
		}
		Slot same = this.scope.slot(path, Goal.ENTRY);
		if (!same.physical().equals(source.physical())) {
			return null;
		}
		Slot target = new Slot(same.directory(), List.of(name), null);
		this.scope.policy().requireWritable(target.physical());
		return target;
	}

	private void rename(Slot source, Slot target) throws IOException, RefusedException {
		String identity = Spot.identity(source.attributes());
		if (!this.scope.alone()) {
			this.scope.backUp(target, identity);
			this.transaction.undoBy(Undo.moveBack(target.spot(), identity, source.spot(), Spot.NOTHING));
		}
		this.scope.requireUnchanged(source);
		this.scope.requireUnchanged(target);
		this.transaction.step("rename");
		source.spot().moveTo(target.spot());
		this.scope.settle(target.directory(), source.directory());
		if (!this.scope.alone() && source.isDirectory()) {
			this.transaction.moved(source.physical(), target.spot());
		}
	}

	private void putAside(Slot source) throws IOException {
		Spot aside = this.transaction.temporary(source.directory());
		this.transaction.undoBy(Undo.moveBack(aside, Spot.identity(source.attributes()), source.spot(), Spot.NOTHING));
		this.scope.requireUnchanged(source);
		this.transaction.step("aside");
		source.spot().moveTo(aside);
		this.transaction.settle(source.directory());
	}

	Line copy(WorkspaceChange.Copy change) throws IOException, RefusedException {
		Slot source = source(change.path(), Goal.TARGET);
		ExpectedVersion.require(change.expectedVersion(), source);
		Slot target = target(change.target(), source, change.overwrite());
		if (target == null) {
			return new Line(change.target(), false, ContentReader.version(change.target(), source.spot()));
		}
		Slot placed = this.scope.withParents(target);
		this.scope.place(copyOf(source, placed), placed);
		return new Line(change.target(), true, ContentReader.version(change.target(), placed.spot()));
	}

	private Spot copyOf(Slot source, Slot target) throws IOException, RefusedException {
		BasicFileAttributes attributes = source.attributes();
		if (attributes == null) {
			throw RefusedException.notFound();
		}
		Spot temporary = this.transaction.temporary(target.directory());
		new TreeCopy(this.transaction, this.scope.confinement().hidden()).copy(source.spot(), attributes, temporary);
		return temporary;
	}

	private Slot source(WorkspacePath path, Goal goal) throws IOException, RefusedException {
		Slot source = this.scope.slot(path, goal);
		if (source.names().isEmpty()) {
			throw RefusedException.root();
		}
		if (source.attributes() == null) {
			throw RefusedException.notFound();
		}
		return source;
	}

	/**
	 * Finds where to, and whether it may be there.
	 * @return null if it is the source itself and nothing is to be done
	 */
	private @Nullable Slot target(WorkspacePath path, Slot source, WorkspaceChange.Overwrite overwrite)
			throws IOException, RefusedException {
		try {
			return checkedTarget(path, source, overwrite);
		}
		catch (RefusedException ex) {
			throw ex.about(path);
		}
	}

	private @Nullable Slot checkedTarget(WorkspacePath path, Slot source, WorkspaceChange.Overwrite overwrite)
			throws IOException, RefusedException {
		Slot target = this.scope.slot(path, Goal.TARGET);
		boolean replace = (overwrite == WorkspaceChange.Overwrite.REPLACE);
		this.scope.policy().requireWritable(target.physical());
		if (replace && target.physical().equals(source.physical())) {
			return null;
		}
		if (target.attributes() != null && !replace) {
			throw RefusedException.exists();
		}
		if (source.isDirectory() && target.physical().startsWith(source.physical())) {
			throw RefusedException.of(WorkspaceErrorCode.WRITE_FAILED,
					"lies inside of the directory that is to go there: give a target outside of it");
		}
		if (target.file() != null && source.isDirectory()) {
			throw RefusedException.of(WorkspaceErrorCode.FILE_EXISTS,
					"is a file, which a directory does not replace: delete it first, or give another path");
		}
		return target;
	}

}

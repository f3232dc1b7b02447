package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.api.workspace.ChangeReport.Line;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Performs the changes with two paths: moves and copies.
 */
final class Relocation {

	private final ChangeScope scope;

	private final Transaction transaction;

	Relocation(ChangeScope scope) {
		this.scope = scope;
		this.transaction = scope.transaction();
	}

	Line move(WorkspaceChange.Move change) throws IOException, RefusedException {
		DescentResult source = source(change.path(), Descent.Goal.ENTRY);
		this.scope.policy().requireRemovable(source.physical());
		ExpectedVersion.require(change.expectedVersion(), source);
		DescentResult respelled = respelled(change.target(), source);
		DescentResult target = (respelled != null) ? respelled : target(change.target(), source, change.overwrite());
		if (target == null) {
			return new Line(change.target(), false, ContentReader.version(change.target(), source.ref()));
		}
		if (source.isDirectory()) {
			this.scope.policy().anyDepth().requireUnprotected(source.ref(), source.physical(), target.physical());
		}
		if (source.isDirectory() && target.depth() > source.depth()
				&& isDeeperThan(PathSyntax.MAX_NAMES - target.depth(), source.ref())) {
			throw RefusedException.tooDeep().about(change.target());
		}
		DescentResult placed = this.scope.withParents(target);
		try {
			rename(source, placed);
		}
		catch (AtomicMoveNotSupportedException ex) {
			source.ref().requireRemovable();
			this.scope.reversible().place(copyOf(source, placed), placed);
			this.scope.putAside(source);
		}
		return new Line(change.target(), true, ContentReader.version(change.target(), placed.ref()));
	}

	/**
	 * Returns whether an entry of a tree has more than the given number of names below
	 * the top.
	 */
	private static boolean isDeeperThan(int names, EntryRef ref) throws IOException {
		return isDeeperThan(names, ref.directory(), ref.name());
	}

	private static boolean isDeeperThan(int names, OpenDirectory parent, Path name) throws IOException {
		try (OpenDirectory directory = parent.directory(name)) {
			for (Path child : directory.list()) {
				if (names == 0) {
					return true;
				}
				BasicFileAttributes attributes = directory.find(child);
				if (attributes != null && attributes.isDirectory() && isDeeperThan(names - 1, directory, child)) {
					return true;
				}
			}
			return false;
		}
		catch (NoSuchFileException | AccessDeniedException ex) {
			return false; // unknown
		}
	}

	/**
	 * Returns the target of a move that changes only the spelling of the name of an
	 * entry.
	 * @return the same directory with the new name, null for another move
	 */
	private @Nullable DescentResult respelled(WorkspacePath path, DescentResult source)
			throws IOException, RefusedException {
		Path name = path.root().getFileSystem().getPath(path.name());
		if (this.scope.confinement().matching() == NameMatching.FILE_SYSTEM || name.equals(source.name())
				|| !PortableName.fold(path.name()).equals(PortableName.fold(source.name().toString()))) {
			return null;
		}
		DescentResult same = this.scope.locate(path, Descent.Goal.ENTRY);
		if (!same.physical().equals(source.physical())) {
			return null;
		}
		DescentResult target = new DescentResult(same.directory(), List.of(name), null);
		this.scope.policy().requireWritable(target.physical());
		return target;
	}

	private void rename(DescentResult source, DescentResult target) throws IOException, RefusedException {
		this.scope.requireNoRepository(target.ref());
		String identity = EntryRef.identity(source.attributes());
		if (!this.scope.alone()) {
			this.scope.backUp(target, identity);
			this.transaction.undoBy(Undo.moveBack(target.ref(), identity, source.ref(), EntryRef.NOTHING));
		}
		this.scope.requireUnchanged(source);
		this.scope.requireUnchanged(target);
		this.transaction.step("rename");
		source.ref().moveTo(target.ref());
		this.scope.settle(target.directory(), source.directory());
		if (!this.scope.alone() && source.isDirectory()) {
			this.transaction.moved(source.physical(), target.ref());
		}
	}

	Line copy(WorkspaceChange.Copy change) throws IOException, RefusedException {
		DescentResult source = source(change.path(), Descent.Goal.TARGET);
		ExpectedVersion.require(change.expectedVersion(), source);
		DescentResult target = target(change.target(), source, change.overwrite());
		if (target == null) {
			return new Line(change.target(), false, ContentReader.version(change.target(), source.ref()));
		}
		if (source.isDirectory()) {
			this.scope.policy().anyDepth().requireUnprotected(source.ref(), target.physical());
		}
		DescentResult placed = this.scope.withParents(target);
		this.scope.place(copyOf(source, placed), placed);
		return new Line(change.target(), true, ContentReader.version(change.target(), placed.ref()));
	}

	private EntryRef copyOf(DescentResult source, DescentResult target) throws IOException, RefusedException {
		BasicFileAttributes attributes = source.attributes();
		if (attributes == null) {
			throw RefusedException.notFound();
		}
		EntryRef temporary = this.transaction.temporary(target.directory());
		new TreeCopy(this.transaction, this.scope.confinement().hidden()).copy(source.ref(), attributes, temporary);
		return temporary;
	}

	private DescentResult source(WorkspacePath path, Descent.Goal goal) throws IOException, RefusedException {
		DescentResult source = this.scope.locate(path, goal);
		if (source.names().isEmpty()) {
			throw RefusedException.root();
		}
		if (source.attributes() == null) {
			throw RefusedException.notFound();
		}
		return source;
	}

	/**
	 * Finds and checks the target.
	 * @return null if it is the source itself, so that nothing is to be done
	 */
	private @Nullable DescentResult target(WorkspacePath path, DescentResult source,
			WorkspaceChange.Overwrite overwrite) throws IOException, RefusedException {
		try {
			return checkedTarget(path, source, overwrite);
		}
		catch (RefusedException ex) {
			throw ex.about(path);
		}
	}

	private @Nullable DescentResult checkedTarget(WorkspacePath path, DescentResult source,
			WorkspaceChange.Overwrite overwrite) throws IOException, RefusedException {
		DescentResult target = this.scope.locate(path, Descent.Goal.TARGET);
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

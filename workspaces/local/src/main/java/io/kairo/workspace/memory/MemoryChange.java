package io.kairo.workspace.memory;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.path.PathGate;
import org.jspecify.annotations.Nullable;

/**
 * Applies single changes to a tree. All checks precede any modification, so that a
 * refused change leaves the tree unchanged.
 *
 * @param tree the tree to change
 * @param guard checks the write policy
 */
record MemoryChange(MemoryTree tree, WriteGuard guard) {

	/**
	 * Applies a change.
	 * @param change a change that is not a batch
	 * @return the line of the report
	 * @throws RefusedException if the change was refused
	 */
	ChangeReport.Line apply(WorkspaceChange change) throws RefusedException {
		this.guard.requireWritable(change.paths().get(0).relative());
		if (change instanceof WorkspaceChange.Write write) {
			return write(write);
		}
		if (change instanceof WorkspaceChange.CompareExchange exchange) {
			return exchange(exchange);
		}
		if (change instanceof WorkspaceChange.CreateDirectory create) {
			return create(create.path());
		}
		if (change instanceof WorkspaceChange.Delete delete) {
			return delete(delete);
		}
		if (change instanceof WorkspaceChange.Move move) {
			return move(move);
		}
		if (change instanceof WorkspaceChange.Copy copy) {
			return copy(copy);
		}
		throw new IllegalArgumentException("A " + change.getClass().getSimpleName() + " is not a single change");
	}

	private ChangeReport.Line write(WorkspaceChange.Write write) throws RefusedException {
		String path = write.path().relative();
		MemoryNode present = writable(path);
		requireVersion(path, present, write.expectedVersion());
		this.tree.putFile(path, write.content());
		return line(write.path(), true);
	}

	private ChangeReport.Line exchange(WorkspaceChange.CompareExchange exchange) throws RefusedException {
		String path = exchange.path().relative();
		MemoryNode present = writable(path);
		if (present == null) {
			throw RefusedException.notFound(path);
		}
		requireVersion(path, present, exchange.expectedVersion());
		boolean matches = Arrays.equals(present.content(), exchange.expected());
		if (matches) {
			this.tree.putFile(path, exchange.content());
		}
		return line(exchange.path(), matches);
	}

	private ChangeReport.Line create(WorkspacePath directory) throws RefusedException {
		String path = directory.relative();
		this.guard.check(path, this.tree, true);
		this.guard.requireNoRepository(path, this.tree);
		MemoryNode present = find(path);
		if (present != null && present.isFile()) {
			throw RefusedException.exists(path);
		}
		this.tree.putDirectory(path);
		return line(directory, present == null);
	}

	private ChangeReport.Line delete(WorkspaceChange.Delete delete) throws RefusedException {
		String path = delete.path().relative();
		this.guard.check(path, this.tree, false);
		MemoryNode present = source(delete.path(), delete.expectedVersion());
		List<MemoryNode> below = this.tree.below(path);
		requireRemovable(Stream.concat(Stream.of(present), below.stream()).toList());
		if (!below.isEmpty() && !present.isFile() && delete.depth() == WorkspaceChange.Depth.SINGLE) {
			throw new RefusedException(WorkspaceErrorCode.DIRECTORY_NOT_EMPTY, path,
					"is not empty: delete it recursively, or what is in it first");
		}
		this.tree.remove(path);
		return line(delete.path(), true);
	}

	private ChangeReport.Line move(WorkspaceChange.Move move) throws RefusedException {
		this.guard.check(move.path().relative(), this.tree, false);
		MemoryNode source = source(move.path(), move.expectedVersion());
		List<MemoryNode> moved = Stream.concat(Stream.of(source), this.tree.below(source.path()).stream()).toList();
		requireRemovable(moved);
		boolean respelled = WorkspacePath.PATH_COMPARATOR.compare(source.path(), move.target().relative()) == 0;
		String target = target(source, moved, move.target(),
				respelled ? WorkspaceChange.Overwrite.REPLACE : move.overwrite());
		this.tree.remove(source.path());
		moved.forEach((node) -> this.tree.put(node.movedTo(target + node.path().substring(source.path().length()))));
		return line(move.target(), true);
	}

	private ChangeReport.Line copy(WorkspaceChange.Copy copy) throws RefusedException {
		MemoryNode source = source(copy.path(), copy.expectedVersion());
		List<MemoryNode> copied = Stream.concat(Stream.of(source), this.tree.below(source.path()).stream()).toList();
		String target = target(source, copied, copy.target(), copy.overwrite());
		copied.forEach((node) -> this.tree.put(node.copiedTo(target + node.path().substring(source.path().length()))));
		return line(copy.target(), true);
	}

	private void requireRemovable(List<MemoryNode> nodes) throws RefusedException {
		for (MemoryNode node : nodes) {
			this.guard.check(node.path(), this.tree, !node.isFile());
		}
		this.guard.requireNoRepository(nodes, this.tree);
	}

	/**
	 * Checks the target of a move or a copy.
	 * @return the target, spelled as its parents are
	 */
	private String target(MemoryNode source, List<MemoryNode> nodes, WorkspacePath where,
			WorkspaceChange.Overwrite overwrite) throws RefusedException {
		String path = where.relative();
		if (where.isRoot()) {
			throw RefusedException.directory(path);
		}
		if (!source.isFile() && WriteGuard.isWithin(path, source.path()) && path.length() > source.path().length()) {
			throw new RefusedException(WorkspaceErrorCode.WRITE_FAILED, path,
					"is inside of what is moved or copied: give a target outside of it");
		}
		this.guard.requireNoRepository(path, this.tree);
		this.guard.requireNoRepository(nodes, this.tree);
		for (MemoryNode node : nodes) {
			String below = node.path().substring(source.path().length());
			requireReachable(where, below);
			this.guard.check(path + below, this.tree, !node.isFile() && !below.isEmpty());
		}
		MemoryNode present = find(path);
		boolean itself = present != null && present.path().equals(source.path());
		if (present != null && !itself) {
			if (overwrite == WorkspaceChange.Overwrite.REFUSE) {
				throw RefusedException.exists(path);
			}
			if (!present.isFile()) {
				throw RefusedException.directory(path);
			}
			if (!source.isFile()) {
				throw RefusedException.notADirectory(path);
			}
		}
		if (itself && overwrite == WorkspaceChange.Overwrite.REFUSE) {
			throw RefusedException.exists(path);
		}
		int slash = path.lastIndexOf('/');
		return (slash < 0) ? path : this.tree.spell(path.substring(0, slash)) + path.substring(slash);
	}

	private static void requireReachable(WorkspacePath target, String below) throws RefusedException {
		if (!PathGate.fits(new WorkspacePath(target.root(), target.relative() + below))) {
			throw RefusedException.tooDeep(target.relative());
		}
	}

	/**
	 * Finds the source of a change.
	 */
	private MemoryNode source(WorkspacePath where, @Nullable String expectedVersion) throws RefusedException {
		String path = where.relative();
		if (where.isRoot()) {
			throw RefusedException.directory(path);
		}
		MemoryNode present = find(path);
		if (present == null) {
			throw RefusedException.notFound(path);
		}
		requireVersion(path, present, expectedVersion);
		return present;
	}

	/**
	 * Finds the file to be written.
	 * @return the file, null if it does not exist yet
	 */
	private @Nullable MemoryNode writable(String path) throws RefusedException {
		if (path.isEmpty()) {
			throw RefusedException.directory(path);
		}
		this.guard.check(path, this.tree, false);
		this.guard.requireNoRepository(path, this.tree);
		MemoryNode present = find(path);
		if (present != null && !present.isFile()) {
			throw RefusedException.directory(path);
		}
		return present;
	}

	private @Nullable MemoryNode find(String path) throws RefusedException {
		MemoryNode above = this.tree.fileAbove(path);
		if (above != null) {
			throw RefusedException.fileAbove(path);
		}
		return this.tree.get(path);
	}

	private static void requireVersion(String path, @Nullable MemoryNode present, @Nullable String expected)
			throws RefusedException {
		if (expected == null) {
			return;
		}
		String version = (present != null) ? present.version() : WorkspaceChange.ABSENT;
		if (!expected.equals(version)) {
			throw RefusedException.stale(path);
		}
	}

	private ChangeReport.Line line(WorkspacePath path, boolean applied) {
		MemoryNode node = this.tree.get(path.relative());
		return new ChangeReport.Line(path, applied, (node != null) ? node.version() : null);
	}

}

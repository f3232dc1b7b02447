package io.kairo.workspace.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;

/**
 * A tree for use by several threads: many readers or one writer. No reader sees a part of
 * a change.
 */
final class MemoryStore {

	private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

	private MemoryTree tree = new MemoryTree();

	/**
	 * Reads an entry while no change is applied.
	 * @throws RefusedException if it does not exist or has the wrong type
	 */
	<T> T look(String path, Look<T> look) throws RefusedException {
		this.lock.readLock().lock();
		try {
			if (this.tree.fileAbove(path) != null) {
				throw RefusedException.fileAbove(path);
			}
			MemoryNode node = this.tree.get(path);
			if (node == null) {
				throw RefusedException.notFound(path);
			}
			return look.at(this.tree, node);
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	List<MemoryNode> all() {
		this.lock.readLock().lock();
		try {
			return this.tree.below("");
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	/**
	 * Applies a change. A batch is applied to a copy that replaces the tree at the end.
	 * @throws RefusedException if the change was refused
	 */
	ChangeReport apply(WorkspaceChange change, WriteGuard guard) throws RefusedException {
		this.lock.writeLock().lock();
		try {
			if (!(change instanceof WorkspaceChange.Batch)) {
				return new ChangeReport(List.of(new MemoryChange(this.tree, guard).apply(change)));
			}
			MemoryTree changed = this.tree.copy();
			MemoryChange changes = new MemoryChange(changed, guard);
			List<ChangeReport.Line> lines = new ArrayList<>();
			for (WorkspaceChange leaf : change.leaves()) {
				ChangeReport.Line line = changes.apply(leaf);
				if (!line.applied() && leaf instanceof WorkspaceChange.CompareExchange) {
					throw RefusedException.anotherContent(line.path().relative());
				}
				lines.add(line);
			}
			this.tree = changed;
			return new ChangeReport(lines);
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/**
	 * Adds or replaces a file, regardless of the policy.
	 */
	void seed(String path, byte[] content) throws RefusedException {
		this.lock.writeLock().lock();
		try {
			if (this.tree.fileAbove(path) != null) {
				throw RefusedException.fileAbove(path);
			}
			MemoryNode present = this.tree.get(path);
			if (present != null && !present.isFile()) {
				throw RefusedException.directory(path);
			}
			this.tree.putFile(path, content);
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/**
	 * Reads an entry of a tree.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	interface Look<T> {

		T at(MemoryTree tree, MemoryNode node) throws RefusedException;

	}

}

package io.kairo.workspace.checkpoint;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * All that steps did to an entry, and what undoing it takes. For use by one thread.
 */
final class Net {

	private final WorkspacePath path;

	private final @Nullable Node target;

	private @Nullable Node last;

	/** Whether another session or program changed the entry between the steps. */
	private boolean broken;

	private @Nullable Node current;

	private @Nullable Obstacle obstacle;

	/**
	 * Creates the value.
	 * @param path the entry
	 * @param target its state before the steps
	 */
	Net(WorkspacePath path, @Nullable Node target) {
		this.path = path;
		this.target = target;
		this.last = target;
	}

	/**
	 * Adds what the next step did.
	 */
	void add(Delta delta) {
		this.broken |= !Node.same(this.last, delta.before());
		this.last = delta.after();
	}

	WorkspacePath path() {
		return this.path;
	}

	@Nullable Node target() {
		return this.target;
	}

	@Nullable Node current() {
		return this.current;
	}

	void current(@Nullable Node node) {
		this.current = node;
	}

	boolean isFree() {
		return this.obstacle == null;
	}

	@Nullable Obstacle obstacle() {
		return this.obstacle;
	}

	void obstacle(Obstacle reason) {
		this.obstacle = reason;
	}

	/**
	 * Returns whether the steps alone have changed the entry.
	 */
	boolean isOwn() {
		return !this.broken && Node.same(this.current, this.last);
	}

	/**
	 * Returns whether the entry is a directory that becomes something else.
	 */
	boolean removesDirectory() {
		return this.current != null && this.current.type() == FileType.DIRECTORY
				&& (this.target == null || this.target.type() != FileType.DIRECTORY);
	}

	/**
	 * Returns whether a link goes, or becomes a directory.
	 */
	boolean losesLink() {
		return this.current != null && this.current.type() == FileType.LINK
				&& (this.target == null || this.target.type() == FileType.DIRECTORY);
	}

	/**
	 * Returns whether a directory is made.
	 */
	boolean createsDirectory() {
		return this.target != null && this.target.type() == FileType.DIRECTORY
				&& (this.current == null || this.current.type() != FileType.DIRECTORY);
	}

	/**
	 * Returns whether the present content could not be brought back.
	 */
	boolean losesContent() {
		return this.current != null && this.current.type() == FileType.FILE && this.current.content() == null
				&& (this.target == null
						|| !(this.target.hasContentOf(this.current) || this.target.isUnwrittenSince(this.current)));
	}

	Delta delta() {
		return new Delta(this.path, this.current, this.target);
	}

	Change change() {
		return new Change(this.path, (this.last != null) ? this.last.state() : null,
				(this.target != null) ? this.target.state() : null, this.obstacle);
	}

}

package io.kairo.api.workspace;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A change to the files of a workspace. {@link WorkspaceFiles#apply(WorkspaceChange)} is
 * the only door that writes. Byte arrays are not copied: the caller leaves them alone
 * afterwards.
 * <p>
 * Each single change may carry the version that the file must have, as a read returned
 * it, or {@link #ABSENT}; if it has another one nothing is changed and the result is
 * {@code stale_read}.
 *
 * @since 0.1.0
 */
public sealed interface WorkspaceChange {

	/**
	 * An expected version that says: nothing may be there.
	 */
	String ABSENT = "absent";

	/**
	 * Returns the single changes that this change consists of, in their order, so that a
	 * decorator sees each of them.
	 * @return this change, or the changes of a batch
	 */
	default List<WorkspaceChange> leaves() {
		return List.of(this);
	}

	/**
	 * Returns every path that this change names: what it changes, and for a move or a
	 * copy its target as well.
	 * @return at least one path, in the order in which they are named
	 */
	List<WorkspacePath> paths();

	/**
	 * Returns the version that the file must have.
	 * @return the version, {@link #ABSENT}, or null when any will do
	 */
	default @Nullable String expectedVersion() {
		return null;
	}

	/**
	 * Whether a move or a copy may replace what is at its target.
	 */
	enum Overwrite {

		/** The target must be absent, else the result is {@code file_exists}. */
		REFUSE,

		/** A file at the target is replaced. */
		REPLACE

	}

	/**
	 * Whether a deletion takes what is in a directory.
	 */
	enum Depth {

		/** A directory must be empty, else the result is {@code directory_not_empty}. */
		SINGLE,

		/** A directory goes with all that is in it. */
		RECURSIVE

	}

	/**
	 * Writes a whole file, creating it and its parents where they are missing.
	 *
	 * @param path the file
	 * @param content its new content
	 * @param expectedVersion the version it must have, may be null
	 */
	record Write(WorkspacePath path, byte[] content, @Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that does not look at the version.
		 * @param path the file
		 * @param content its new content
		 */
		public Write(WorkspacePath path, byte[] content) {
			this(path, content, null);
		}

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path);
		}

	}

	/**
	 * Replaces the content of a file that has exactly the expected content. Another
	 * content is a success that was not applied, except in a batch, which it fails.
	 *
	 * @param path the file, which must be there
	 * @param expected the content it must have
	 * @param content its new content
	 * @param expectedVersion the version it must have, may be null
	 */
	record CompareExchange(WorkspacePath path, byte[] expected, byte[] content,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that does not look at the version.
		 * @param path the file, which must be there
		 * @param expected the content it must have
		 * @param content its new content
		 */
		public CompareExchange(WorkspacePath path, byte[] expected, byte[] content) {
			this(path, expected, content, null);
		}

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path);
		}

	}

	/**
	 * Creates a directory and its parents. One that is there already is a success that
	 * was not applied.
	 *
	 * @param path the directory
	 */
	record CreateDirectory(WorkspacePath path) implements WorkspaceChange {

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path);
		}

	}

	/**
	 * Deletes a file, a link or a directory. A link goes, not what it points to.
	 *
	 * @param path what to delete, never the root
	 * @param depth whether a directory may have entries
	 * @param expectedVersion the version a file must have, may be null
	 */
	record Delete(WorkspacePath path, Depth depth, @Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that deletes a single entry, whatever its version.
		 * @param path what to delete, never the root
		 */
		public Delete(WorkspacePath path) {
			this(path, Depth.SINGLE, null);
		}

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path);
		}

	}

	/**
	 * Moves a file or a directory, creating the parents of its target.
	 *
	 * @param path what to move, never the root
	 * @param target where to
	 * @param overwrite whether a file at the target is replaced
	 * @param expectedVersion the version of the moved file, may be null
	 */
	record Move(WorkspacePath path, WorkspacePath target, Overwrite overwrite,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that replaces nothing, whatever the version.
		 * @param path what to move, never the root
		 * @param target where to
		 */
		public Move(WorkspacePath path, WorkspacePath target) {
			this(path, target, Overwrite.REFUSE, null);
		}

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path, this.target);
		}

	}

	/**
	 * Copies a file or a directory, creating the parents of its target.
	 *
	 * @param path what to copy
	 * @param target where to
	 * @param overwrite whether a file at the target is replaced
	 * @param expectedVersion the version of the copied file, may be null
	 */
	record Copy(WorkspacePath path, WorkspacePath target, Overwrite overwrite,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that replaces nothing, whatever the version.
		 * @param path what to copy
		 * @param target where to
		 */
		public Copy(WorkspacePath path, WorkspacePath target) {
			this(path, target, Overwrite.REFUSE, null);
		}

		@Override
		public List<WorkspacePath> paths() {
			return List.of(this.path, this.target);
		}

	}

	/**
	 * Several changes that happen all or not at all, in their order.
	 *
	 * @param changes the changes, none of them a batch
	 */
	record Batch(List<WorkspaceChange> changes) implements WorkspaceChange {

		/**
		 * Creates the value.
		 * @param changes the changes
		 * @throws IllegalArgumentException if one of the changes is a batch
		 */
		public Batch {
			changes = List.copyOf(changes);
			if (changes.stream().anyMatch(Batch.class::isInstance)) {
				throw new IllegalArgumentException("A batch must not hold a batch: put its changes in directly");
			}
		}

		@Override
		public List<WorkspaceChange> leaves() {
			return this.changes;
		}

		@Override
		public List<WorkspacePath> paths() {
			return this.changes.stream().flatMap((change) -> change.paths().stream()).toList();
		}

	}

}

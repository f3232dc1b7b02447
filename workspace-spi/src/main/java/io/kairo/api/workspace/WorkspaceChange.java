package io.kairo.api.workspace;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A change to the files of a workspace. {@link WorkspaceFiles#apply(WorkspaceChange)} is
 * the only method that writes. Byte arrays are not copied: the caller must not modify
 * them afterwards.
 * <p>
 * Each single change may carry the expected version of the file, as returned by a read,
 * or {@link #ABSENT}. If the version differs, nothing is changed and the result is
 * {@code stale_read}.
 */
public sealed interface WorkspaceChange {

	/**
	 * The expected version of a file that must not exist.
	 */
	String ABSENT = "absent";

	/**
	 * Returns the single changes of this change in their order, so that a decorator can
	 * inspect each of them.
	 * @return this change, or the changes of a batch
	 */
	default List<WorkspaceChange> leaves() {
		return List.of(this);
	}

	/**
	 * Returns the paths of this change: the changed entry and, for a move or a copy, the
	 * target.
	 * @return the paths in their order, at least one for a single change
	 */
	List<WorkspacePath> paths();

	/**
	 * Returns the expected version of the file.
	 * @return the version, {@link #ABSENT}, or null for any version
	 */
	default @Nullable String expectedVersion() {
		return null;
	}

	/**
	 * Whether a move or a copy may replace its target.
	 */
	enum Overwrite {

		/** The target must be absent, else the result is {@code file_exists}. */
		REFUSE,

		/** A file at the target is replaced. */
		REPLACE

	}

	/**
	 * Whether a deletion includes the content of a directory.
	 */
	enum Depth {

		/** A directory must be empty, else the result is {@code directory_not_empty}. */
		SINGLE,

		/** A directory is deleted with everything in it. */
		RECURSIVE

	}

	/**
	 * Writes a whole file, creating the file and its parents if they are missing.
	 *
	 * @param path the file
	 * @param content its new content
	 * @param expectedVersion the expected version, may be null
	 */
	record Write(WorkspacePath path, byte[] content, @Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change for any version.
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
	 * Replaces the content of a file if it is exactly the expected content. With other
	 * content the change succeeds without being applied, except in a batch: the batch
	 * then fails.
	 *
	 * @param path the file, which must exist
	 * @param expected the expected content
	 * @param content its new content
	 * @param expectedVersion the expected version, may be null
	 */
	record CompareExchange(WorkspacePath path, byte[] expected, byte[] content,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change for any version.
		 * @param path the file, which must exist
		 * @param expected the expected content
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
	 * Creates a directory and its parents. If it exists already, the change succeeds
	 * without being applied.
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
	 * Deletes a file, a link or a directory. A link is deleted without its target.
	 *
	 * @param path the entry to delete, never the root
	 * @param depth whether a directory may have entries
	 * @param expectedVersion the expected version of a file, may be null
	 */
	record Delete(WorkspacePath path, Depth depth, @Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change that deletes a single entry with any version.
		 * @param path the entry to delete, never the root
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
	 * @param path the entry to move, never the root
	 * @param target its new path
	 * @param overwrite whether a file at the target is replaced
	 * @param expectedVersion the version of the moved file, may be null
	 */
	record Move(WorkspacePath path, WorkspacePath target, Overwrite overwrite,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change for any version that replaces no file.
		 * @param path the entry to move, never the root
		 * @param target its new path
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
	 * @param path the entry to copy
	 * @param target the path of the copy
	 * @param overwrite whether a file at the target is replaced
	 * @param expectedVersion the version of the copied file, may be null
	 */
	record Copy(WorkspacePath path, WorkspacePath target, Overwrite overwrite,
			@Nullable String expectedVersion) implements WorkspaceChange {

		/**
		 * Creates a change for any version that replaces no file.
		 * @param path the entry to copy
		 * @param target the path of the copy
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
	 * Several changes, applied in their order and atomically.
	 *
	 * @param changes the changes, none of them a batch
	 */
	record Batch(List<WorkspaceChange> changes) implements WorkspaceChange {

		/**
		 * Creates the value.
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

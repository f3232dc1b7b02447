package io.kairo.api.workspace;

import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The outcome of writing changes back to the remote storage of a workspace. Immutable.
 *
 * @param changes the changed paths with their outcomes, in the order of the paths
 */
public record SyncReport(List<Change> changes) {

	private static final int SHOWN = 20;

	/**
	 * Creates the value.
	 */
	public SyncReport {
		changes = List.copyOf(changes);
	}

	/**
	 * Returns whether every change has reached the remote storage.
	 * @return false if a change is in conflict, failed, or cannot be stored remotely
	 */
	public boolean complete() {
		return this.changes.stream().allMatch((change) -> change.outcome().isRemote());
	}

	/**
	 * Returns the changes with an outcome.
	 * @param outcome the outcome
	 * @return the changes, in the order of the paths
	 */
	public List<Change> with(Outcome outcome) {
		return this.changes.stream().filter((change) -> change.outcome() == outcome).toList();
	}

	/**
	 * Describes the changes that have not reached the remote storage.
	 * @return a line for each of the first of them, empty if the report is
	 * {@linkplain #complete() complete}
	 */
	public String problems() {
		List<Change> open = this.changes.stream().filter((change) -> !change.outcome().isRemote()).toList();
		String lines = open.stream()
			.limit(SHOWN)
			.map((change) -> WorkspacePath.quote(change.path()) + " " + change.message())
			.collect(Collectors.joining("\n"));
		return (open.size() > SHOWN) ? lines + "\n(and " + (open.size() - SHOWN) + " more)" : lines;
	}

	/**
	 * A changed path and its outcome.
	 *
	 * @param path the path below the primary root
	 * @param outcome the outcome
	 * @param message the reason and the remedy if the change has not reached the remote
	 * storage, otherwise empty
	 */
	public record Change(String path, Outcome outcome, String message) {

		/**
		 * Creates the value.
		 */
		public Change {
			Objects.requireNonNull(path, "path");
			Objects.requireNonNull(outcome, "outcome");
			Objects.requireNonNull(message, "message");
		}

	}

	/**
	 * The outcome for one path. New constants are only added at the end.
	 */
	public enum Outcome {

		/** The content was written. */
		WRITTEN,

		/** The file was deleted. */
		DELETED,

		/** The remote version is another one; both versions are kept. */
		CONFLICT,

		/** The remote storage could not be reached, or refused the change. */
		FAILED,

		/** The remote storage cannot store such an entry. */
		UNSUPPORTED;

		/**
		 * Returns whether the change has reached the remote storage.
		 * @return true for written and deleted files
		 */
		public boolean isRemote() {
			return this == WRITTEN || this == DELETED;
		}

	}

}

package io.kairo.api.workspace;

import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Undoes what one session did to the files of a workspace, and nothing else. Each change
 * through {@link #recorded(WorkspaceFiles)} and each command between
 * {@link #begin(WorkspaceFiles, String)} and its end is a step: what it created, changed
 * and deleted. What others changed between the steps belongs to no step, and is not
 * undone. What others change while a command runs is taken for the command's, unless
 * another session recorded it. Paths that the write policy protects are not recorded.
 * Safe for use by several threads.
 */
public interface WorkspaceCheckpoints {

	/**
	 * Returns files whose changes are recorded.
	 * @param files the files of the workspace
	 * @return a decorator of these files
	 */
	WorkspaceFiles recorded(WorkspaceFiles files);

	/**
	 * Begins to record a command that may change any file of a workspace on disk. Waits
	 * until the files are examined and small ones are kept, within a bound.
	 * @param files the files of the workspace
	 * @param title the command, of which the first characters are kept
	 * @return the recording, to be ended once nothing of the command is running
	 */
	Recording begin(WorkspaceFiles files, String title);

	/**
	 * Marks the state of now, and keeps the content of all files within the bounds, so
	 * that what the session does from now on can be undone. A checkpoint of the same name
	 * is replaced.
	 * @param files the files of the workspace
	 * @param name the name, at most 100 characters, not blank
	 * @return the checkpoint, or a failure: {@code write_failed}
	 * @throws IllegalArgumentException if the name is too long or blank
	 */
	WorkspaceResult<Checkpoint> take(WorkspaceFiles files, String name);

	/**
	 * Returns the checkpoints of the session.
	 * @return the newest first; without those whose steps were dropped to make room
	 */
	List<Checkpoint> list();

	/**
	 * Returns what undoing steps would do, without doing it. The store may still refuse
	 * some of it.
	 * @param files the files of the workspace
	 * @param range the steps
	 * @param overwritten the paths whose change would be undone even if others changed
	 * them
	 * @return the changes, or a failure: {@code file_not_found} if there is no such
	 * checkpoint or no such step
	 */
	WorkspaceResult<Rewind> changes(WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten);

	/**
	 * Undoes steps: all changes without an obstacle, or nothing. It is a step itself,
	 * which {@link Range#redo()} undoes.
	 * @param files the files of the workspace
	 * @param range the steps
	 * @param overwritten the paths whose change is undone even if others changed them, or
	 * their present content is not kept
	 * @return the changes, those with an obstacle unchanged; or a failure, after which
	 * nothing is changed
	 */
	WorkspaceResult<Rewind> restore(WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten);

	/**
	 * Returns the content of a file in a state of a change.
	 * @param state the state
	 * @param maxBytes the maximum size in bytes
	 * @return the content; null if the file is larger, is no regular file, or its content
	 * is not kept
	 */
	byte @Nullable [] content(State state, int maxBytes);

	/**
	 * Forgets a checkpoint. The steps stay.
	 * @param name its name
	 * @return whether there was one
	 */
	boolean forget(String name);

	/**
	 * Begins a trial: the files of the workspace are copied, and what is done to the copy
	 * counts once it is committed.
	 * @param files the files of the workspace
	 * @return the trial, to be closed; or a failure: {@code unsupported_file_type} if
	 * there can be none of these files, {@code too_large}, {@code quota_exceeded} if
	 * there are too many, {@code read_failed} or {@code write_failed}
	 */
	default WorkspaceResult<WorkspaceTrial> trial(WorkspaceFiles files) {
		return WorkspaceResult.failure(WorkspaceErrorCode.UNSUPPORTED_FILE_TYPE,
				"There can be no trial in this workspace (" + trialProblem(files) + "): take a checkpoint instead");
	}

	/**
	 * Begins a trial, in overlays instead of a copy if that is possible. It is lost if
	 * they end before it.
	 * @param files the files of the workspace
	 * @param overlays mounts them for the session that will run commands in the trial
	 * @return the trial, or a failure, as of {@link #trial(WorkspaceFiles)}
	 */
	default WorkspaceResult<WorkspaceTrial> trial(WorkspaceFiles files, TrialOverlays overlays) {
		return trial(files);
	}

	/**
	 * Returns the reason why there can be no trial. The disk is not changed.
	 * @param files the files of the workspace
	 * @return the reason, null if there can be trials; by default that these checkpoints
	 * have none
	 */
	default @Nullable String trialProblem(WorkspaceFiles files) {
		return "its checkpoints have no trials";
	}

	/**
	 * A command that is recorded. Safe for use by several threads.
	 */
	interface Recording extends AutoCloseable {

		/**
		 * Ends the recording. Later calls return the same. An interrupt stays set.
		 * @return what the command changed
		 */
		Recorded end();

		@Override
		default void close() {
			end();
		}

	}

	/**
	 * The changes of a command.
	 *
	 * @param created number of created entries
	 * @param changed number of changed entries
	 * @param deleted number of deleted entries
	 * @param unkept changed or deleted files whose former content is not kept, so that
	 * they cannot be brought back; the first of them
	 * @param unrecorded why nothing was recorded; null if it was, or the session has been
	 * told before
	 */
	record Recorded(long created, long changed, long deleted, List<WorkspacePath> unkept, @Nullable String unrecorded) {

		/**
		 * Creates the value.
		 */
		public Recorded {
			unkept = List.copyOf(unkept);
		}

	}

	/**
	 * The steps to undo.
	 *
	 * @param kind which steps
	 * @param checkpoint the name of the checkpoint after which they are, for
	 * {@link Kind#SINCE}
	 * @param steps the number of steps, for {@link Kind#LAST}
	 * @param paths the entries, with everything in them, that are undone; empty for all
	 */
	record Range(Kind kind, @Nullable String checkpoint, int steps, List<WorkspacePath> paths) {

		/**
		 * Creates the value.
		 * @throws IllegalArgumentException if the number of steps is below 1 where it
		 * matters
		 */
		public Range {
			paths = List.copyOf(paths);
			if (kind == Kind.LAST && steps < 1) {
				throw new IllegalArgumentException("The number of steps is " + steps + ": it must be above zero");
			}
		}

		/**
		 * Returns all steps of the session.
		 * @return the range
		 */
		public static Range all() {
			return new Range(Kind.ALL, null, 0, List.of());
		}

		/**
		 * Returns the steps since a checkpoint.
		 * @param checkpoint its name
		 * @return the range
		 */
		public static Range since(String checkpoint) {
			return new Range(Kind.SINCE, checkpoint, 0, List.of());
		}

		/**
		 * Returns the last steps that are not undone, with whatever came after the first
		 * of them.
		 * @param steps their number, at least 1
		 * @return the range
		 */
		public static Range last(int steps) {
			return new Range(Kind.LAST, null, steps, List.of());
		}

		/**
		 * Returns the last undoing that was not undone itself.
		 * @return the range
		 */
		public static Range redo() {
			return new Range(Kind.REDO, null, 0, List.of());
		}

		/**
		 * Returns this range for some paths only.
		 * @param only the entries, with everything in them; empty for all
		 * @return the range
		 */
		public Range of(List<WorkspacePath> only) {
			return new Range(this.kind, this.checkpoint, this.steps, only);
		}

		/**
		 * The kind of a range.
		 */
		public enum Kind {

			/** All steps of the session. */
			ALL,

			/** The steps since a checkpoint. */
			SINCE,

			/** The last steps. */
			LAST,

			/** The last undoing. */
			REDO

		}

	}

	/**
	 * The undoing of steps, done or not.
	 *
	 * @param steps the titles of the steps, the newest first
	 * @param changes the changes in the order of their paths
	 * @param done whether the changes without an obstacle were made
	 */
	record Rewind(List<String> steps, List<Change> changes, boolean done) {

		/**
		 * Creates the value.
		 */
		public Rewind {
			steps = List.copyOf(steps);
			changes = List.copyOf(changes);
		}

	}

	/**
	 * The undoing of all that the steps did to one entry.
	 *
	 * @param path the entry
	 * @param from its state after the steps, null if it does not exist
	 * @param to its state before the steps, null if it does not exist
	 * @param obstacle why it is not undone, null if it is
	 */
	record Change(WorkspacePath path, @Nullable State from, @Nullable State to, @Nullable Obstacle obstacle) {

	}

	/**
	 * The state of an entry.
	 *
	 * @param type its type
	 * @param size its size in bytes, 0 for anything but a regular file
	 * @param mode its permissions as in {@link FileInfo#mode()}, null if it has none
	 * @param content the text of a link; identifies the content of a file, null if that
	 * is not kept
	 */
	record State(FileType type, long size, @Nullable String mode, @Nullable String content) {

	}

	/**
	 * The reason for which a change is not undone.
	 */
	enum Obstacle {

		/** Another session or program changed the entry since or in between. */
		CONFLICT,

		/**
		 * The former content is not kept, or the present one could not be brought back.
		 */
		UNKEPT,

		/** The directory has entries of others. */
		NOT_EMPTY,

		/** The store refused the change. */
		REFUSED

	}

}

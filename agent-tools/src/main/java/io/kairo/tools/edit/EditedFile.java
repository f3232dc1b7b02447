package io.kairo.tools.edit;

import java.util.Arrays;
import java.util.Objects;

import io.kairo.api.workspace.WorkspacePath;
import io.kairo.tools.file.SeenVersion;
import io.kairo.tools.file.WholeFile;
import org.jspecify.annotations.Nullable;

/**
 * A file that a call changes, as it is planned to be. For use by one thread.
 */
final class EditedFile {

	private final SeenVersion seen;

	/** The content on disk; null if there was no file, or only its version is needed. */
	private final @Nullable WholeFile before;

	/** The version on disk; null if there was no file, or for a link. */
	private final @Nullable String version;

	private final boolean onDisk;

	private WorkspacePath path;

	private @Nullable EditPlan plan;

	private State state;

	private @Nullable String trashId;

	private int replacements;

	private MatchLevel level = MatchLevel.EXACT;

	private EditedFile(SeenVersion seen, @Nullable WholeFile before, @Nullable String version, State state) {
		this.seen = seen;
		this.before = before;
		this.version = version;
		this.path = seen.path();
		this.state = state;
		this.onDisk = state != State.ABSENT;
	}

	/**
	 * Creates a file whose content is held in memory.
	 */
	static EditedFile of(SeenVersion seen, WholeFile before, EditPlan plan) {
		EditedFile file = new EditedFile(seen, before, before.version(), State.PRESENT);
		file.plan = plan;
		return file;
	}

	/**
	 * Creates a file or a link whose content is not needed.
	 */
	static EditedFile ofEntry(SeenVersion seen, @Nullable String version) {
		return new EditedFile(seen, null, version, State.PRESENT);
	}

	/**
	 * Creates a file that does not exist.
	 */
	static EditedFile absent(SeenVersion seen) {
		return new EditedFile(seen, null, null, State.ABSENT);
	}

	SeenVersion seen() {
		return this.seen;
	}

	/**
	 * Returns the path on disk before the call.
	 */
	WorkspacePath origin() {
		return this.seen.path();
	}

	WorkspacePath path() {
		return this.path;
	}

	@Nullable WholeFile before() {
		return this.before;
	}

	@Nullable String version() {
		return this.version;
	}

	/**
	 * Returns the version that the file must have when it is changed: the version seen by
	 * the session, else the version that was read.
	 */
	@Nullable String expectedVersion() {
		return (this.version != null) ? Objects.requireNonNullElse(this.seen.version(), this.version) : null;
	}

	boolean exists() {
		return this.state == State.PRESENT;
	}

	boolean isDeleted() {
		return this.state == State.DELETED;
	}

	/**
	 * Returns whether there was a file at {@link #origin()} before the call.
	 */
	boolean isOnDisk() {
		return this.onDisk;
	}

	boolean isMoved() {
		return this.onDisk && exists() && !this.path.equals(origin());
	}

	/**
	 * Returns whether the content differs from that on disk.
	 */
	boolean isChanged() {
		EditPlan now = this.plan;
		return exists() && now != null
				&& (this.before == null || !Arrays.equals(now.text().bytes(), this.before.bytes()));
	}

	/**
	 * Returns the plan of its text, null if it is absent or its content is not needed.
	 */
	@Nullable EditPlan plan() {
		return this.plan;
	}

	/**
	 * Returns the number of bytes that it has in memory.
	 */
	long size() {
		EditPlan now = this.plan;
		return (exists() && now != null) ? now.text().bytes().length : 0;
	}

	void create(EditPlan content) {
		this.plan = content;
		this.state = State.PRESENT;
	}

	void delete() {
		this.state = State.DELETED;
	}

	void trashed(String id) {
		this.trashId = id;
	}

	/**
	 * Returns the id of a deleted file in the trash, null before it is there.
	 */
	@Nullable String trashId() {
		return this.trashId;
	}

	void moveTo(WorkspacePath target) {
		this.path = target;
	}

	void count(EditPlan.Done done) {
		this.replacements = done.replacements();
		this.level = done.level();
	}

	/**
	 * Returns the number of replacements of the last edit, 0 for a new file.
	 */
	int replacements() {
		return this.replacements;
	}

	/**
	 * Returns the level of the last edit.
	 */
	MatchLevel level() {
		return this.level;
	}

	/**
	 * The existence of a file during a call.
	 */
	private enum State {

		/** There is none yet. */
		ABSENT,

		/** It is there. */
		PRESENT,

		/** It is to be deleted. */
		DELETED

	}

}

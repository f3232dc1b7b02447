package io.kairo.tools.file;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.tools.CallDeadline;
import io.kairo.workspace.search.FileNames;
import org.jspecify.annotations.Nullable;

/**
 * A listing of a directory, level by level, of which a batch of entries is kept.
 * Directories that are hidden or ignored are not entered. For use by one thread.
 */
final class DirectoryTree {

	/**
	 * Number of entries of a batch. The levels above are complete when it is reached, so
	 * that the batches stay the same while the files do.
	 */
	private static final int BATCH = 10_000;

	/** Maximum number of directories that wait to be listed. */
	private static final int MAX_LEVELS = 100_000;

	private final WorkspaceFiles files;

	private final int depth;

	private final Hidden hidden;

	private final FileNames ignored;

	private final CallDeadline deadline;

	private final List<FileInfo> entries = new ArrayList<>();

	private final Deque<Level> levels = new ArrayDeque<>();

	private @Nullable WorkspacePath directory;

	/** Number of entries in the batches before. */
	private long passedOver;

	private long found;

	private boolean goesOn;

	private long hiddenEntries;

	private long ignoredEntries;

	private long omitted;

	private long unreadable;

	private boolean late;

	DirectoryTree(WorkspaceFiles files, int depth, Hidden hidden, FileNames ignored, CallDeadline deadline) {
		this.files = files;
		this.depth = depth;
		this.hidden = hidden;
		this.ignored = ignored;
		this.deadline = deadline;
	}

	/**
	 * Lists a directory.
	 * @param offset the number of an entry of the batch to keep, from 0
	 * @return this listing, or a failure if the directory cannot be listed
	 */
	WorkspaceResult<DirectoryTree> list(WorkspacePath top, long offset) {
		this.passedOver = offset / BATCH * BATCH;
		this.levels.add(new Level(top, 1));
		while (!this.levels.isEmpty() && !this.goesOn && !this.deadline.isCancelled()) {
			Level level = this.levels.remove();
			this.late |= level.number() > 1 && this.deadline.isOver();
			if (this.late) {
				this.omitted++;
				continue;
			}
			WorkspaceResult<FileListing> listing = this.files.list(level.directory(), 1);
			if (listing instanceof WorkspaceResult.Failure<FileListing> failure) {
				if (level.number() == 1) {
					return failure.cast();
				}
				this.unreadable++;
				continue;
			}
			this.directory = (this.directory != null) ? this.directory : listing.value().directory();
			List<FileInfo> part = listing.value().entries();
			long missing = listing.value().omitted();
			add(part, top, level);
			while (missing > 0 && !part.isEmpty() && !this.goesOn && !this.deadline.isOver()) {
				part = FollowingEntries.of(part.get(part.size() - 1).path(), level.directory(), this.files, BATCH,
						this.deadline);
				missing -= part.size();
				add(part, top, level);
			}
			this.omitted += this.goesOn ? 0 : Math.max(0, missing);
		}
		this.entries.sort(Comparator.comparing(FileInfo::path));
		return WorkspaceResult.ok(this);
	}

	private void add(List<FileInfo> part, WorkspacePath top, Level level) {
		for (FileInfo entry : part) {
			if (!admits(top, entry)) {
				continue;
			}
			if (this.entries.size() >= BATCH) {
				this.goesOn = true;
				return;
			}
			if (this.found++ >= this.passedOver) {
				this.entries.add(entry);
			}
			if (entry.type() == FileType.DIRECTORY && level.number() < this.depth) {
				if (this.levels.size() < MAX_LEVELS) {
					this.levels.add(new Level(entry.path(), level.number() + 1));
				}
				else {
					this.omitted++;
				}
			}
		}
	}

	/**
	 * Returns the directory that was listed, in the spelling of its entries.
	 */
	WorkspacePath directory() {
		return Objects.requireNonNull(this.directory);
	}

	/**
	 * Returns entries of the batch in the order of their paths.
	 * @param offset the number of the first one, from 0, in the batch
	 * @param limit the maximum number
	 */
	List<FileInfo> entries(long offset, int limit) {
		return this.entries.stream().skip(offset - this.passedOver).limit(limit).toList();
	}

	/**
	 * Returns the number of entries up to the end of the batch.
	 */
	long found() {
		return this.found;
	}

	/**
	 * Returns whether there are entries after the batch.
	 */
	boolean goesOn() {
		return this.goesOn;
	}

	long hiddenEntries() {
		return this.hiddenEntries;
	}

	long ignoredEntries() {
		return this.ignoredEntries;
	}

	/**
	 * Returns the number of entries, or of directories with entries, that are not listed
	 * because there are too many or their names cannot be part of a path.
	 */
	long omitted() {
		return this.omitted;
	}

	/**
	 * Returns whether directories are omitted because the deadline had passed.
	 */
	boolean isLate() {
		return this.late;
	}

	/**
	 * Returns the number of directories below the first directory that cannot be listed.
	 */
	long unreadable() {
		return this.unreadable;
	}

	private boolean admits(WorkspacePath top, FileInfo entry) {
		if (this.ignored.match(entry.path(), top)) {
			this.ignoredEntries++;
			return false;
		}
		if (this.hidden == Hidden.COUNTED && entry.path().name().startsWith(".")) {
			this.hiddenEntries++;
			return false;
		}
		return true;
	}

	/**
	 * The treatment of entries whose names begin with a dot.
	 */
	enum Hidden {

		/** They are listed. */
		LISTED,

		/** They are counted. */
		COUNTED

	}

	private record Level(WorkspacePath directory, int number) {

	}

}

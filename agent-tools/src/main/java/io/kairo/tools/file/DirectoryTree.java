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
 * A listing of a directory, level by level. Directories that are hidden or ignored are
 * not entered. For use by one thread.
 */
final class DirectoryTree {

	/** Maximum number of entries. The levels above are complete when it is reached. */
	private static final int MAX_ENTRIES = 10_000;

	private final WorkspaceFiles files;

	private final int depth;

	private final Hidden hidden;

	private final FileNames ignored;

	private final CallDeadline deadline;

	private final List<FileInfo> entries = new ArrayList<>();

	private @Nullable WorkspacePath directory;

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
	 * @return this listing, or a failure if the directory cannot be listed
	 */
	WorkspaceResult<DirectoryTree> list(WorkspacePath top) {
		Deque<Level> levels = new ArrayDeque<>(List.of(new Level(top, 1)));
		while (!levels.isEmpty() && !this.deadline.isCancelled()) {
			Level level = levels.remove();
			this.late |= level.number() > 1 && this.deadline.isOver();
			if (this.late || this.entries.size() >= MAX_ENTRIES) {
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
			this.omitted += listing.value().omitted();
			for (FileInfo entry : listing.value().entries()) {
				if (admits(top, entry)) {
					this.entries.add(entry);
					if (entry.type() == FileType.DIRECTORY && level.number() < this.depth) {
						levels.add(new Level(entry.path(), level.number() + 1));
					}
				}
			}
		}
		this.entries.sort(Comparator.comparing(FileInfo::path));
		return WorkspaceResult.ok(this);
	}

	/**
	 * Returns the directory that was listed, in the spelling of its entries.
	 */
	WorkspacePath directory() {
		return Objects.requireNonNull(this.directory);
	}

	/**
	 * Returns the entries in the order of their paths.
	 */
	List<FileInfo> entries() {
		return this.entries;
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

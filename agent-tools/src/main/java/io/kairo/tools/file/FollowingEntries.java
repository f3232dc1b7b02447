package io.kairo.tools.file;

import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.tools.CallDeadline;

/**
 * Collects the files and directories in a directory that a listing has no room for. Safe
 * for use by several threads.
 */
final class FollowingEntries implements WorkspaceVisitor {

	private final WorkspacePath last;

	private final int most;

	private final TreeMap<WorkspacePath, FileInfo> entries = new TreeMap<>();

	private final CallDeadline deadline;

	private volatile boolean stopped;

	private FollowingEntries(WorkspacePath last, int most, CallDeadline deadline) {
		this.last = last;
		this.most = most;
		this.deadline = deadline;
	}

	/**
	 * Returns the entries that follow an entry of a directory, without links.
	 * @param last the last entry of the listing
	 * @param directory the directory
	 * @param most the maximum number of entries
	 * @param deadline the deadline of the call
	 * @return the entries in the order of their paths, none once the deadline has passed
	 */
	static List<FileInfo> of(WorkspacePath last, WorkspacePath directory, WorkspaceFiles files, int most,
			CallDeadline deadline) {
		FollowingEntries following = new FollowingEntries(last, most, deadline);
		files.walk(directory, following);
		if (following.stopped) {
			return List.of();
		}
		return following.entries.values().stream().map((entry) -> described(entry, files)).toList();
	}

	/**
	 * Describes a directory, of which a walk gives only the path.
	 */
	private static FileInfo described(FileInfo entry, WorkspaceFiles files) {
		return (entry.type() == FileType.DIRECTORY
				&& files.info(entry.path()) instanceof WorkspaceResult.Ok<FileInfo> ok) ? ok.value() : entry;
	}

	@Override
	public Next directory(WorkspacePath directory) {
		if (!directory.isRoot() && directory.parent().equals(this.last.parent())) {
			add(new FileInfo(directory, FileType.DIRECTORY, 0, Instant.EPOCH, null, null));
			return Next.SKIP;
		}
		return Next.CONTINUE;
	}

	@Override
	public Next file(Entry file) {
		add(new FileInfo(file.path(), FileType.FILE, file.size(), file.modified(), null, null));
		if (this.deadline.isOver()) {
			this.stopped = true;
			return Next.STOP;
		}
		return Next.CONTINUE;
	}

	private synchronized void add(FileInfo entry) {
		if (entry.path().compareTo(this.last) > 0) {
			this.entries.put(entry.path(), entry);
			if (this.entries.size() > this.most) {
				this.entries.pollLastEntry();
			}
		}
	}

}

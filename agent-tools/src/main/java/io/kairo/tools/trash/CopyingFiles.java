package io.kairo.tools.trash;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * The files of a store that cannot move its entries to a directory, such as a store in
 * memory, with a directory of the application beside them. A move between both is a copy
 * and a deletion of exactly the copied versions. Only directories and files are moved,
 * without a mode, since such stores have none. Safe for use by several threads.
 */
final class CopyingFiles extends ForwardingWorkspaceFiles {

	/**
	 * Maximum number of bytes of a move, since a restored tree is one batch in memory.
	 */
	static final long MAX_BYTES = 64 << 20;

	private final WorkspaceFiles directory;

	/**
	 * Combines both.
	 * @param files the files of the workspace
	 * @param directory the files of the directory
	 */
	CopyingFiles(WorkspaceFiles files, WorkspaceFiles directory) {
		super(files);
		this.directory = directory;
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		List<WorkspaceChange> changes = new ArrayList<>();
		List<WorkspacePath> copied = new ArrayList<>();
		List<Integer> ends = new ArrayList<>();
		for (WorkspaceChange leaf : change.leaves()) {
			WorkspaceResult<?> prepared = prepare(leaf, changes, copied);
			if (prepared instanceof WorkspaceResult.Failure<?> failure) {
				discard(copied);
				return failure.cast();
			}
			ends.add(changes.size());
		}
		WorkspaceResult<ChangeReport> applied = delegate().apply(new WorkspaceChange.Batch(changes));
		if (!applied.isOk()) {
			discard(copied);
			return applied;
		}
		List<ChangeReport.Line> lines = new ArrayList<>();
		for (int i = 0; i < ends.size(); i++) {
			// a move has the line of its top
			boolean out = change.leaves().get(i).paths().stream().anyMatch(this::isKept);
			int first = (i == 0) ? 0 : ends.get(i - 1);
			lines.add(applied.value().lines().get(out ? first : ends.get(i) - 1));
		}
		return WorkspaceResult.ok(new ChangeReport(lines));
	}

	private void discard(List<WorkspacePath> copied) {
		copied.forEach((path) -> this.directory
			.apply(new WorkspaceChange.Delete(path, WorkspaceChange.Depth.RECURSIVE, null)));
	}

	private boolean isKept(WorkspacePath path) {
		return path.root().equals(this.directory.root().root());
	}

	/**
	 * Adds the changes of the store that a change needs, after copying out the files that
	 * it moves.
	 */
	private WorkspaceResult<?> prepare(WorkspaceChange leaf, List<WorkspaceChange> changes,
			List<WorkspacePath> copied) {
		if (!(leaf instanceof WorkspaceChange.Move move) || isKept(move.path()) == isKept(move.target())) {
			changes.add(leaf);
			return WorkspaceResult.ok(leaf);
		}
		boolean out = isKept(move.target());
		WorkspaceFiles from = out ? delegate() : this.directory;
		List<WorkspaceChange> made = new ArrayList<>();
		List<WorkspaceChange> removed = new ArrayList<>();
		WorkspaceResult<List<FileInfo>> tree = tree(from, move.path());
		if (tree instanceof WorkspaceResult.Failure<List<FileInfo>> failure) {
			return failure;
		}
		if (out) {
			copied.add(move.target());
		}
		for (FileInfo entry : tree.value()) {
			WorkspacePath target = new WorkspacePath(move.target().root(),
					move.target().relative() + entry.path().relative().substring(move.path().relative().length()));
			if (entry.type() == FileType.DIRECTORY) {
				made.add(new WorkspaceChange.CreateDirectory(target));
				removed.add(new WorkspaceChange.Delete(entry.path()));
			}
			else {
				WorkspaceResult<FileContent> content = from.read(entry.path(), 0, Math.toIntExact(entry.size()));
				if (content instanceof WorkspaceResult.Failure<FileContent> failure) {
					return failure;
				}
				made.add(new WorkspaceChange.Write(target, content.value().bytes(), WorkspaceChange.ABSENT));
				removed.add(new WorkspaceChange.Delete(entry.path(), WorkspaceChange.Depth.SINGLE,
						entry.path().equals(move.path())
								? Objects.requireNonNullElse(move.expectedVersion(), content.value().version())
								: content.value().version()));
			}
			if (out) {
				WorkspaceResult<ChangeReport> copy = this.directory.apply(made.remove(0));
				if (!copy.isOk()) {
					return copy;
				}
			}
		}
		if (!out && delegate().info(move.target()).isOk()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.FILE_EXISTS,
					"'" + delegate().display(move.target()) + "' exists already");
		}
		Collections.reverse(removed);
		changes.addAll(out ? removed : made);
		return WorkspaceResult.ok(leaf);
	}

	/**
	 * Returns an entry and everything in it, each directory before its entries.
	 */
	private static WorkspaceResult<List<FileInfo>> tree(WorkspaceFiles files, WorkspacePath path) {
		List<FileInfo> tree = new ArrayList<>();
		WorkspaceResult<FileInfo> top = files.info(path);
		if (top instanceof WorkspaceResult.Failure<FileInfo> failure) {
			return failure.cast();
		}
		tree.add(top.value());
		long bytes = top.value().size();
		if (top.value().type() == FileType.DIRECTORY) {
			WorkspaceResult<FileListing> listing = files.list(path, Integer.MAX_VALUE);
			if (listing instanceof WorkspaceResult.Failure<FileListing> failure) {
				return failure.cast();
			}
			if (!listing.value().complete()) {
				return unkept(files, path, "has too many entries");
			}
			tree.addAll(listing.value().entries());
			bytes += listing.value().entries().stream().mapToLong(FileInfo::size).sum();
		}
		if (bytes > MAX_BYTES) {
			return unkept(files, path, "has more than " + MAX_BYTES + " bytes");
		}
		return tree.stream().allMatch((entry) -> entry.type() == FileType.FILE || entry.type() == FileType.DIRECTORY)
				? WorkspaceResult.ok(tree) : unkept(files, path, "has links or special files");
	}

	private static <T> WorkspaceResult<T> unkept(WorkspaceFiles files, WorkspacePath path, String reason) {
		return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
				"The trash cannot keep '" + files.display(path) + "': it " + reason);
	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * Records each change. Changes of one workspace are made one after the other, so that no
 * change of another session is taken for one of this session.
 */
final class RecordedFiles extends ForwardingWorkspaceFiles {

	private static final Logger logger = System.getLogger(RecordedFiles.class.getName());

	private final SessionCheckpoints session;

	RecordedFiles(WorkspaceFiles delegate, SessionCheckpoints session) {
		super(delegate);
		this.session = session;
	}

	@Override
	public @Nullable WorkspaceFiles including(Path directory) {
		WorkspaceFiles wider = delegate().including(directory);
		return (wider != null) ? new RecordedFiles(wider, this.session) : null;
	}

	/**
	 * Returns files whose changes are no steps, unless they are those of the workspace.
	 */
	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		WorkspaceFiles relocated = delegate().relocated(directories);
		return (relocated != null && directories.isEmpty()) ? new RecordedFiles(relocated, this.session) : relocated;
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		if (!this.session.isActive()) {
			return delegate().apply(change);
		}
		AtomicReference<@Nullable WorkspaceResult<ChangeReport>> result = new AtomicReference<>();
		try {
			return this.session.alone((tracked) -> {
				if (tracked.isRewinding()) {
					return delegate().apply(change);
				}
				this.session.recoverOnce(delegate());
				Set<WorkspacePath> paths = affected(change);
				TreeScan before = examine(paths, tracked);
				WorkspaceResult<ChangeReport> applied = delegate().apply(change);
				result.set(applied);
				if (applied.isOk()) {
					record(title(change), before, examine(paths, tracked));
				}
				return applied;
			});
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A change is not recorded", ex);
			WorkspaceResult<ChangeReport> applied = result.get();
			return (applied != null) ? applied : delegate().apply(change);
		}
	}

	private TreeScan examine(Set<WorkspacePath> paths, TrackedWorkspace tracked) {
		return new TreeScan(delegate(), tracked.latest(), tracked,
				SessionCheckpoints.within(tracked.options().maxWait().multipliedBy(SessionCheckpoints.PATIENCE)))
			.entries(paths);
	}

	private void record(String title, TreeScan before, TreeScan after) throws IOException {
		if (before.isIncomplete() || after.isIncomplete()) {
			this.session.append(SessionCheckpoints.UNRECORDED + title, List.of());
			return;
		}
		Set<WorkspacePath> paths = new HashSet<>(before.found().keySet());
		paths.addAll(after.found().keySet());
		List<Delta> deltas = new ArrayList<>();
		for (WorkspacePath path : paths) {
			Node former = before.found().get(path);
			Node now = after.found().get(path);
			if (!Node.same(former, now) && !before.isUnknown(path) && !after.isUnknown(path)) {
				deltas.add(new Delta(path, former, now));
			}
		}
		this.session.record(title, deltas);
	}

	/**
	 * Returns the paths that a change may affect, without links and with the directories
	 * that it creates.
	 */
	private Set<WorkspacePath> affected(WorkspaceChange change) {
		List<Path> roots = this.session.roots();
		Set<WorkspacePath> affected = new HashSet<>();
		for (WorkspaceChange leaf : change.leaves()) {
			for (int i = 0; i < leaf.paths().size(); i++) {
				WorkspacePath path = SessionCheckpoints.fromRoot(leaf.paths().get(i), roots);
				if (roots.contains(path.root())) {
					boolean entry = leaf instanceof WorkspaceChange.Delete
							|| (leaf instanceof WorkspaceChange.Move && i == 0);
					if (!(leaf instanceof WorkspaceChange.Copy && i == 0)) {
						addMissing(SessionCheckpoints.fromRoot(delegate().followed(path, entry), roots), affected);
					}
				}
			}
		}
		return affected;
	}

	private void addMissing(WorkspacePath path, Set<WorkspacePath> affected) {
		WorkspacePath each = path;
		affected.add(each);
		while (!each.isRoot()) {
			each = each.parent();
			if (!(delegate().info(each) instanceof WorkspaceResult.Failure<FileInfo> failure)
					|| failure.code() != WorkspaceErrorCode.FILE_NOT_FOUND) {
				return;
			}
			affected.add(each);
		}
	}

	private static String title(WorkspaceChange change) {
		List<WorkspaceChange> leaves = change.leaves();
		String first = leaves.isEmpty() ? "change" : single(leaves.get(0));
		return (leaves.size() > 1) ? first + " and " + (leaves.size() - 1) + " more" : first;
	}

	private static String single(WorkspaceChange leaf) {
		String name = leaf.paths().get(0).relative();
		if (leaf instanceof WorkspaceChange.CreateDirectory) {
			return "create directory " + name;
		}
		if (leaf instanceof WorkspaceChange.Delete) {
			return "delete " + name;
		}
		if (leaf instanceof WorkspaceChange.Move move) {
			return "move " + name + " to " + move.target().relative();
		}
		return (leaf instanceof WorkspaceChange.Copy copy) ? "copy " + name + " to " + copy.target().relative()
				: "write " + name;
	}

}

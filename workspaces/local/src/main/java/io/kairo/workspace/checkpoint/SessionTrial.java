package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.TrialOverlays;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recorded;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.workspace.checkpoint.CheckpointListener.TrialEvent;
import io.kairo.workspace.local.disk.tree.OwnedTree;
import org.jspecify.annotations.Nullable;

/**
 * A trial in a copy of the roots, or in overlays that show the same.
 */
final class SessionTrial implements WorkspaceTrial {

	private static final Logger logger = System.getLogger(SessionTrial.class.getName());

	private static final String TITLE = "commit of a trial";

	private static final int MAX_TITLES = 100;

	private final SessionCheckpoints session;

	private final Trials trials;

	/** The roots that are copied: those that are in no other one. */
	private final List<Path> roots;

	private final List<OwnedTree> trees = new ArrayList<>();

	/** The overlays by root; none if the roots are copied. */
	private volatile Map<Path, TrialOverlay> overlays = Map.of();

	/** The copies by all roots. */
	private volatile Map<Path, Path> directories = Map.of();

	/** The workspace at the beginning. */
	private Map<WorkspacePath, Node> base = Map.of();

	/** The copy at the beginning. */
	private Map<WorkspacePath, Node> start = Map.of();

	/** What the application may not read. */
	private final Set<WorkspacePath> leftOut = new ConcurrentSkipListSet<>();

	/** Held by changes to read, and to write by what ends the trial. */
	private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock();

	/** The titles of the first commands; guarded by itself, as is the number below. */
	private final List<String> titles = new ArrayList<>();

	private int running;

	private volatile boolean ended;

	private SessionTrial(SessionCheckpoints session, Trials trials) {
		this.session = session;
		this.trials = trials;
		this.roots = session.roots();
	}

	static WorkspaceResult<WorkspaceTrial> begin(SessionCheckpoints session, Trials trials, List<Path> roots,
			WorkspaceFiles files, TrialOverlays overlays) {
		SessionTrial trial = new SessionTrial(session, trials);
		if (!trials.add(trial, session.tenant())) {
			return WorkspaceResult.failure(WorkspaceErrorCode.QUOTA_EXCEEDED, "There are "
					+ trials.options().maxPerTenant() + " trials already: commit or discard one of them first");
		}
		boolean begun = false;
		try {
			WorkspaceResult<WorkspaceTrial> result = trial.begin(roots, files, overlays);
			begun = result.isOk();
			if (begun) {
				session.told(TrialEvent.BEGUN);
			}
			return result;
		}
		catch (WorkspaceException ex) {
			return WorkspaceResult.failure(ex.code(), String.valueOf(ex.getMessage()));
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A trial cannot begin", ex);
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"The trial was not begun, since the workspace cannot be copied: try again once the operator has "
							+ "made room; the log of the application names the cause");
		}
		finally {
			if (!begun) {
				trial.end(null);
			}
		}
	}

	private WorkspaceResult<WorkspaceTrial> begin(List<Path> all, WorkspaceFiles files, TrialOverlays mounts)
			throws IOException {
		TrackedWorkspace tracked = this.session.tracked();
		TreeScan before = this.session.scan(files, tracked, SessionCheckpoints.PATIENCE);
		if (before.isIncomplete()) {
			return tooLarge();
		}
		this.base = before.found();
		if (!overlay(all, files, mounts, tracked)) {
			Map<Path, Path> copies = new HashMap<>();
			for (Path root : this.roots) {
				WorkspacePath top = new WorkspacePath(root, "");
				copies.put(root, this.trials.copy(isMissing(top, files) ? null : SessionCheckpoints.copied(root),
						this.trees, files.display(top), (path) -> leaveOut(root, path)));
			}
			if (!start(all, copies, files, tracked)) {
				return tooLarge();
			}
		}
		TrackedWorkspace.awaitClock(System.nanoTime());
		return WorkspaceResult.ok(this);
	}

	/**
	 * Begins in overlays, or leaves nothing of them.
	 * @return whether they show what the roots contain
	 */
	private boolean overlay(List<Path> all, WorkspaceFiles files, TrialOverlays mounts, TrackedWorkspace tracked)
			throws IOException {
		Map<Path, TrialOverlay> mounted = new HashMap<>();
		for (Path root : this.roots) {
			TrialOverlay overlay = (mounts == TrialOverlays.NONE) ? null
					: this.trials.overlay(SessionCheckpoints.copied(root), this.trees, mounts);
			if (overlay == null) {
				break;
			}
			mounted.put(root, overlay);
			this.overlays = Map.copyOf(mounted);
		}
		Map<Path, Path> shown = new HashMap<>();
		mounted.forEach((root, overlay) -> shown.put(root, overlay.mounted().directory()));
		if (mounted.size() == this.roots.size() && start(all, shown, files, tracked) && areIntact() && showsBase()) {
			return true;
		}
		endOverlays();
		this.trials.remove(this.trees);
		this.trees.clear();
		return false;
	}

	/**
	 * Goes on in directories.
	 * @param copies the directories by root
	 * @return whether all of them could be examined
	 */
	private boolean start(List<Path> all, Map<Path, Path> copies, WorkspaceFiles files, TrackedWorkspace tracked) {
		Map<Path, Path> places = new HashMap<>();
		for (Path each : all) {
			copies.forEach((root, copy) -> {
				if (each.startsWith(root)) {
					places.put(each, copy.resolve(root.relativize(each).toString()).normalize());
				}
			});
		}
		this.directories = Map.copyOf(places);
		WorkspaceFiles copied = Objects.requireNonNull(files.relocated(this.directories), "files of the trial");
		TreeScan scan = new TreeScan(copied, Map.of(), tracked, () -> true).roots(this.roots);
		this.start = scan.found();
		return !scan.isIncomplete() && scan.unreadable() == null;
	}

	private boolean showsBase() {
		return this.start.keySet().equals(this.base.keySet()) && this.base.entrySet().stream().allMatch((entry) -> {
			Node shown = this.start.get(entry.getKey());
			return shown != null && shown.type() == entry.getValue().type() && shown.size() == entry.getValue().size();
		});
	}

	private boolean areIntact() {
		return this.overlays.values().stream().allMatch((overlay) -> overlay.mounted().intact().getAsBoolean());
	}

	private void endOverlays() {
		this.overlays.values().forEach((overlay) -> overlay.mounted().close());
		this.overlays = Map.of();
	}

	private void leaveOut(Path root, String path) {
		try {
			this.leftOut.add(new WorkspacePath(root, path));
		}
		catch (WorkspacePathException ex) {
			logger.log(Level.TRACE, "No change reaches an entry with such a name", ex);
		}
	}

	private boolean isLeftOut(WorkspacePath path) {
		for (WorkspacePath each = path; !each.isRoot(); each = each.parent()) {
			if (this.leftOut.contains(each)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Returns whether a root does not exist yet, or no longer.
	 */
	private static boolean isMissing(WorkspacePath root, WorkspaceFiles files) {
		return files.info(root) instanceof WorkspaceResult.Failure<FileInfo> failure
				&& failure.code() == WorkspaceErrorCode.FILE_NOT_FOUND;
	}

	private static <T> WorkspaceResult<T> tooLarge() {
		return WorkspaceResult.failure(WorkspaceErrorCode.TOO_LARGE,
				"The workspace has too many files and directories for a trial, or could not be examined: work without "
						+ "one, or let the operator raise kairo.checkpoints.max-files");
	}

	/**
	 * Returns whether files are those of this trial.
	 */
	boolean has(WorkspaceFiles files) {
		Path root = files.root().root();
		return files.location(root).equals(this.directories.get(root));
	}

	/**
	 * Counts a command until it ends. It waits for a commit.
	 * @return null if the trial has ended
	 */
	@Nullable Recording command(String title) {
		this.lock.readLock().lock();
		try {
			return this.ended ? null : count(title);
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	private Recording count(String title) {
		synchronized (this.titles) {
			this.running++;
			if (this.titles.size() < MAX_TITLES) {
				this.titles.add(title);
			}
		}
		AtomicBoolean over = new AtomicBoolean();
		return () -> {
			synchronized (this.titles) {
				this.running -= over.getAndSet(true) ? 0 : 1;
			}
			return new Recorded(0, 0, 0, List.of(), null);
		};
	}

	@Override
	public WorkspaceFiles files(WorkspaceFiles files) {
		return new TrialFiles(this, Objects.requireNonNull(files.relocated(this.directories)), files);
	}

	/**
	 * Performs a change unless the trial has ended.
	 */
	<T> WorkspaceResult<T> change(Supplier<WorkspaceResult<T>> change) {
		this.lock.readLock().lock();
		try {
			return this.ended ? hasEnded() : areIntact() ? change.get() : isGone();
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	private static <T> WorkspaceResult<T> hasEnded() {
		return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
				"The trial has ended meanwhile, so nothing was changed: call again, for the workspace itself");
	}

	private static <T> WorkspaceResult<T> isGone() {
		return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
				"Nothing was changed, since the copy of the workspace is gone: discard the trial");
	}

	@Override
	public List<WorkspacePath> leftOut() {
		return List.copyOf(this.leftOut);
	}

	@Override
	public WorkspaceResult<Rewind> changes(WorkspaceFiles files) {
		return change(() -> alone(files, Set.of(), (changes) -> WorkspaceResult.ok(false)));
	}

	@Override
	public WorkspaceResult<Rewind> commit(WorkspaceFiles files, Set<WorkspacePath> overwritten) {
		this.lock.writeLock().lock();
		try {
			synchronized (this.titles) {
				if (this.running > 0) {
					return WorkspaceResult.failure(WorkspaceErrorCode.CONFLICT,
							"Nothing was committed, since a command runs in the trial: wait for its end, or end it");
				}
			}
			if (this.ended) {
				return hasEnded();
			}
			WorkspaceResult<Rewind> committed = alone(files, overwritten,
					(changes) -> (changes.size() == 0) ? WorkspaceResult.ok(true) : changes.perform(this::step));
			if (committed.isOk() && committed.value().done()) {
				end(TrialEvent.COMMITTED);
				this.session.measure();
			}
			else if (committed.isOk()) {
				this.session.told(TrialEvent.CONFLICT);
			}
			return committed;
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	private Step step(List<Delta> deltas) throws IOException {
		return this.session.step(Step.Kind.COMMIT, TITLE, deltas, Set.of(), 0);
	}

	private WorkspaceResult<Rewind> alone(WorkspaceFiles files, Set<WorkspacePath> overwritten, Commit commit) {
		WorkspaceFiles workspace = Objects.requireNonNull(files.relocated(Map.of()), "files of the trial");
		try {
			return this.session.alone((tracked) -> tracked.rewind(() -> {
				this.session.recover(workspace);
				TreeScan scan = scan(files, tracked);
				if (scan.lacking() > 0 && this.session.makeRoom(tracked, scan.lacking())) {
					scan = scan(files, tracked);
				}
				WorkspaceResult<Rewind> unknown = unknown(scan, files);
				if (unknown != null) {
					return unknown;
				}
				NetChanges changes = changes(scan, workspace, overwritten);
				return commit.perform(changes).map((done) -> new Rewind(titles(), changes.list(), done));
			}));
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A trial cannot be compared with its workspace", ex);
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"Nothing was changed, since the state directory cannot be read or written: try again once the "
							+ "operator has seen to it; the log of the application names the cause");
		}
	}

	private TreeScan scan(WorkspaceFiles files, TrackedWorkspace tracked) {
		return new TreeScan(files, this.start, tracked, () -> false).changed(this.trials.options().maxBytes())
			.roots(this.roots);
	}

	/**
	 * Returns the reason for which it is not known what was changed, null if it is.
	 */
	private @Nullable WorkspaceResult<Rewind> unknown(TreeScan scan, WorkspaceFiles files) {
		if (!areIntact() || this.roots.stream().anyMatch((root) -> isMissing(new WorkspacePath(root, ""), files))) {
			return isGone();
		}
		if (scan.isIncomplete()) {
			return tooLarge();
		}
		WorkspacePath unreadable = scan.unreadable();
		return (unreadable == null) ? null
				: WorkspaceResult.failure(WorkspaceErrorCode.PERMISSION_DENIED,
						"Nothing was committed, since " + WorkspacePath.quote(files.display(unreadable))
								+ " of the trial cannot be examined: make it readable, or remove it");
	}

	private List<String> titles() {
		synchronized (this.titles) {
			return List.copyOf(this.titles);
		}
	}

	private NetChanges changes(TreeScan scan, WorkspaceFiles workspace, Set<WorkspacePath> overwritten) {
		NetChanges changes = new NetChanges(this.session, workspace, overwritten, true);
		Set<WorkspacePath> paths = new HashSet<>(this.start.keySet());
		paths.addAll(scan.found().keySet());
		for (WorkspacePath path : paths) {
			Node last = scan.found().get(path);
			Node was = this.base.get(path);
			if (!scan.isUnknown(path) && !Node.same(this.start.get(path), last) && !Node.same(was, last)
					&& !isNewSpecialFile(was, last) && isOfTrial(path)) {
				changes.net(path, last).add(new Delta(path, last, was));
			}
		}
		changes.examine();
		changes.refuse(this::isLeftOut);
		return changes;
	}

	/**
	 * Returns whether the trial itself changed an entry.
	 */
	private boolean isOfTrial(WorkspacePath path) {
		TrialOverlay overlay = this.overlays.get(path.root());
		return overlay == null || overlay.isChanged(Path.of(path.relative()));
	}

	/**
	 * Returns whether an entry is a new socket, FIFO or device.
	 */
	private static boolean isNewSpecialFile(@Nullable Node was, @Nullable Node last) {
		return was == null && last != null && last.type() == FileType.OTHER;
	}

	@Override
	public void close() {
		end(TrialEvent.DISCARDED);
	}

	private void end(@Nullable TrialEvent event) {
		this.lock.writeLock().lock();
		try {
			if (!this.ended) {
				this.ended = true;
				endOverlays();
				this.trials.remove(this, this.trees);
				if (event != null) {
					this.session.told(event);
				}
			}
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

	/**
	 * An action on the changes of a trial.
	 */
	@FunctionalInterface
	private interface Commit {

		WorkspaceResult<Boolean> perform(NetChanges changes) throws IOException;

	}

}

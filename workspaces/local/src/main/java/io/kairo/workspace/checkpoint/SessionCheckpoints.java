package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.TrialOverlays;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceTrial;
import io.kairo.workspace.local.RealPaths;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of a session.
 */
final class SessionCheckpoints implements WorkspaceCheckpoints {

	private static final Logger logger = System.getLogger(SessionCheckpoints.class.getName());

	/** The beginning of the title of a command that was not recorded. */
	static final String UNRECORDED = "(not recorded) ";

	private static final int MAX_NAME = 100;

	/** A checkpoint and a change may take as many times the time that a command waits. */
	static final int PATIENCE = 10;

	private final CheckpointStore store;

	private final Path home;

	private final TenantContext tenant;

	private final Workspace workspace;

	private final StepLog log;

	/** Whether there is a checkpoint. */
	private volatile boolean active;

	private final AtomicBoolean told = new AtomicBoolean();

	/** The last number of a step; for use alone. */
	private long last;

	SessionCheckpoints(CheckpointStore store, Path home, TenantContext tenant, Workspace workspace, String session) {
		this.store = store;
		this.home = home;
		this.tenant = tenant;
		this.workspace = workspace;
		this.log = new StepLog(home.resolve(SessionLogs.NAME).resolve(session));
	}

	static BooleanSupplier within(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		return () -> System.nanoTime() - end > 0;
	}

	/**
	 * Returns the roots, without those that are in another one.
	 */
	List<Path> roots() {
		List<Path> all = this.workspace.roots();
		return all.stream()
			.filter((root) -> all.stream().noneMatch((other) -> !other.equals(root) && root.startsWith(other)))
			.toList();
	}

	/**
	 * Returns a path from one of these roots, or the same if it is in none.
	 */
	static WorkspacePath fromRoot(WorkspacePath path, List<Path> roots) {
		for (Path root : roots) {
			if (path.root().startsWith(root)) {
				return path.root().equals(root) ? path
						: new WorkspacePath(root, root.relativize(path.toPath()).toString());
			}
		}
		return path;
	}

	/**
	 * Returns the workspaces on the disk that have a directory in common with this one.
	 */
	Stream<TrackedWorkspace> overlapping() {
		return this.store.overlapping(tracked());
	}

	StepLog log() {
		return this.log;
	}

	/**
	 * Returns the state of the workspace.
	 * @throws UncheckedIOException if there is no directory for it
	 */
	TrackedWorkspace tracked() {
		return this.store.track(this.home);
	}

	/**
	 * Returns whether changes are recorded.
	 */
	boolean isActive() {
		this.active = this.active || this.store.options().auto() || !list().isEmpty();
		return this.active;
	}

	/**
	 * Returns a reason the first time, null later.
	 */
	@Nullable String tellOnce(String reason) {
		return this.told.compareAndSet(false, true) ? reason : null;
	}

	/**
	 * Performs an action alone in the workspace.
	 */
	<T> T alone(Alone<T> action) throws IOException {
		while (true) {
			TrackedWorkspace tracked = tracked();
			tracked.use(this.workspace.onDisk() ? roots() : List.of());
			try {
				return tracked.alone(() -> action.perform(tracked));
			}
			catch (TrackedWorkspace.RetiredException ex) {
				// another object takes its place
			}
		}
	}

	/**
	 * Completes or forgets what a JVM was undoing when it was killed. To be called alone.
	 */
	void recover(WorkspaceFiles files) throws IOException {
		tracked().rewind(() -> {
			new InterruptedRewinds(this, files).recover(tracked().sessions().logs());
			tracked().recovered();
			return this;
		});
	}

	/**
	 * Does so before the first step in this JVM. To be called alone.
	 */
	void recoverOnce(WorkspaceFiles files) throws IOException {
		if (!tracked().isRecovered()) {
			recover(files);
		}
	}

	Future<?> later(Runnable work) {
		return this.store.later(work);
	}

	@Override
	public WorkspaceFiles recorded(WorkspaceFiles files) {
		if (Files.exists(this.home.resolve(PendingRewind.STAGE))) {
			try {
				alone((tracked) -> {
					recoverOnce(files);
					return files;
				});
			}
			catch (IOException | UncheckedIOException ex) {
				logger.log(Level.WARNING, "A rewind that was interrupted is not undone yet; it is tried again later",
						ex);
			}
		}
		return new RecordedFiles(files, this);
	}

	@Override
	public Recording begin(WorkspaceFiles files, String title) {
		if (!files.location(files.root().root()).equals(files.root().root())) {
			SessionTrial trial = this.store.trialOf(files);
			Recording counted = (trial != null) ? trial.command(title) : null;
			return (counted != null) ? counted : unrecorded("the trial has ended");
		}
		try {
			if (!isActive()) {
				return unrecorded(null);
			}
			return alone((tracked) -> {
				recoverOnce(files);
				return new CommandRecording(this, tracked, files, title).register();
			}).examine();
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A command is not recorded", ex);
			return unrecorded(tellOnce("the record cannot be written"));
		}
	}

	private static Recording unrecorded(@Nullable String reason) {
		return () -> new Recorded(0, 0, 0, List.of(), reason);
	}

	/**
	 * Appends a step, and tells it to the recordings of commands. To be called alone.
	 */
	void record(String title, List<Delta> deltas) throws IOException {
		if (!deltas.isEmpty()) {
			append(title, deltas);
			announce(deltas);
			this.store.trimIfFull(tracked(), Map.of());
			this.store.measured(this.tenant);
		}
	}

	void append(String title, List<Delta> deltas) throws IOException {
		appended(this.log.append(step(Step.Kind.CALL, title, deltas, Set.of(), 0)));
	}

	void appended(Path step) throws IOException {
		TrackedWorkspace tracked = tracked();
		tracked.appended(step);
		tracked.stepBytes().addAndGet(Files.size(step));
	}

	void announce(List<Delta> deltas) {
		tracked().running().forEach((each) -> each.changed(deltas));
		overlapping().forEach((other) -> other.running().forEach((each) -> each.changedByOverlapping(deltas)));
	}

	/**
	 * Returns a new step. To be called alone.
	 */
	Step step(Step.Kind kind, String title, List<Delta> deltas, Set<Long> undone, long from) throws IOException {
		this.last = this.log.next(this.last);
		return new Step(this.last, this.store.now(), kind, title, deltas, undone, from);
	}

	@Override
	public WorkspaceResult<Checkpoint> take(WorkspaceFiles files, String name) {
		if (name.isBlank() || name.length() > MAX_NAME) {
			throw new IllegalArgumentException("The name of a checkpoint has 1 to " + MAX_NAME + " characters: '" + name
					+ "' has " + name.length());
		}
		try {
			List<CommandRecording> running = tracked().running().stream().filter((each) -> each.isOf(this)).toList();
			running.forEach(CommandRecording::expectScan);
			try {
				return take(files, name, running);
			}
			finally {
				running.forEach(CommandRecording::scanned);
			}
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A checkpoint cannot be written", ex);
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"The checkpoint was not taken, since the state directory cannot be written: try again once "
							+ "the operator has made room; the log of the application names the cause");
		}
	}

	private WorkspaceResult<Checkpoint> take(WorkspaceFiles files, String name, List<CommandRecording> running)
			throws IOException {
		TreeScan scan = scan(files, tracked(), PATIENCE);
		return alone((tracked) -> {
			recoverOnce(files);
			for (CommandRecording each : running) {
				each.split(scan);
			}
			List<Path> earlier = this.log.checkpoints(name);
			Step step = step(Step.Kind.CHECKPOINT, name, List.of(), Set.of(), 0);
			appended(this.log.append(step));
			for (Path each : earlier) {
				Files.deleteIfExists(each);
			}
			long count = scan.found().values().stream().filter((node) -> node.type() == FileType.FILE).count();
			return WorkspaceResult.ok(new Checkpoint(name, step.time(), 0, count,
					scan.isIncomplete() ? List.of(new Checkpoint.Unkept(files.root(), count, 0)) : scan.unkept()));
		});
	}

	/**
	 * Examines the workspace, and once more if room has to be made for its contents.
	 * @param patience how many times the time that a command waits it may take
	 */
	TreeScan scan(WorkspaceFiles files, TrackedWorkspace tracked, int patience) throws IOException {
		Map<WorkspacePath, Node> former = tracked.latest();
		TreeScan scan = scan(files, former, tracked, patience);
		if (scan.lacking() > 0 && tracked.alone(() -> this.store.trimIfFull(tracked, former))) {
			return scan(files, scan.found(), tracked, patience);
		}
		return scan;
	}

	/**
	 * Drops old steps for contents that would not fit. To be called alone.
	 * @return whether something was dropped
	 */
	boolean makeRoom(TrackedWorkspace tracked, long bytes) throws IOException {
		return this.store.makeRoom(tracked, bytes);
	}

	private TreeScan scan(WorkspaceFiles files, Map<WorkspacePath, Node> known, TrackedWorkspace tracked,
			int patience) {
		TreeScan scan = new TreeScan(files, known, tracked, within(tracked.options().maxWait().multipliedBy(patience)))
			.roots(roots());
		tracked.latest(scan);
		return scan;
	}

	@Override
	public List<Checkpoint> list() {
		List<Step> steps;
		try {
			steps = this.log.steps();
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The checkpoints of a session cannot be read", ex);
			return List.of();
		}
		Set<Long> undone = undone(steps);
		List<Checkpoint> checkpoints = new ArrayList<>();
		long since = 0;
		for (int i = steps.size() - 1; i >= 0; i--) {
			Step step = steps.get(i);
			if (step.kind() == Step.Kind.CHECKPOINT) {
				checkpoints.add(new Checkpoint(step.title(), step.time(), since, 0, List.of()));
			}
			else if (step.isCall() && !undone.contains(step.number())) {
				since++;
			}
		}
		return checkpoints;
	}

	/**
	 * Returns the numbers of the calls that are undone after steps.
	 */
	static Set<Long> undone(Collection<Step> steps) {
		Set<Long> undone = Set.of();
		for (Step step : steps) {
			undone = (step.kind() == Step.Kind.REWIND || step.kind() == Step.Kind.REDO) ? step.undone() : undone;
		}
		return undone;
	}

	@Override
	public WorkspaceResult<Rewind> changes(WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten) {
		return rewind(() -> new Rewinding(this, files, range, overwritten).plan());
	}

	@Override
	public WorkspaceResult<Rewind> restore(WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten) {
		return rewind(() -> new Rewinding(this, files, range, overwritten).perform());
	}

	private WorkspaceResult<Rewind> rewind(TrackedWorkspace.Action<WorkspaceResult<Rewind>> action) {
		try {
			return alone((tracked) -> tracked.rewind(action));
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "Steps cannot be undone", ex);
			return WorkspaceResult.failure(WorkspaceErrorCode.WRITE_FAILED,
					"Nothing was changed, since the record of the steps cannot be read or written: try again once the "
							+ "operator has seen to the state directory; the log of the application names the cause");
		}
	}

	@Override
	public WorkspaceResult<WorkspaceTrial> trial(WorkspaceFiles files) {
		return trial(files, TrialOverlays.NONE);
	}

	@Override
	public WorkspaceResult<WorkspaceTrial> trial(WorkspaceFiles files, TrialOverlays overlays) {
		Trials trials = this.store.trials();
		return (trials != null && trialProblem(files) == null)
				? SessionTrial.begin(this, trials, this.workspace.roots(), files, overlays)
				: WorkspaceCheckpoints.super.trial(files);
	}

	@Override
	public @Nullable String trialProblem(WorkspaceFiles files) {
		Trials trials = this.store.trials();
		if (trials == null) {
			return "trials are turned off";
		}
		if (files.relocated(Map.of()) == null) {
			return "its files are not in a directory of this machine";
		}
		Path directory = trials.options().directory();
		return roots().stream().anyMatch((root) -> directory.startsWith(copied(root)))
				? "the copy would be in the workspace itself: the operator has to put kairo.trials.directory somewhere else"
				: null;
	}

	/**
	 * Returns the directory that is copied for a root: its real path, but not through a
	 * link in its place.
	 */
	static Path copied(Path root) {
		Path name = root.getFileName();
		return (name != null) ? RealPaths.of(Objects.requireNonNull(root.getParent())).resolve(name) : root;
	}

	void told(CheckpointListener.TrialEvent event) {
		this.store.told(this.tenant, event);
	}

	TenantContext tenant() {
		return this.tenant;
	}

	void measure() {
		this.store.measured(this.tenant);
	}

	@Override
	public byte @Nullable [] content(State state, int maxBytes) {
		return (state.type() == FileType.FILE && state.content() != null && state.size() <= maxBytes)
				? tracked().contents().read(state.content(), maxBytes) : null;
	}

	@Override
	public boolean forget(String name) {
		try {
			return alone((tracked) -> {
				boolean found = false;
				for (Path each : this.log.checkpoints(name)) {
					found |= Files.deleteIfExists(each);
				}
				return found;
			});
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "A checkpoint cannot be forgotten", ex);
			return false;
		}
	}

	/**
	 * An action that is performed alone.
	 *
	 * @param <T> the type of its result
	 */
	@FunctionalInterface
	interface Alone<T> {

		T perform(TrackedWorkspace tracked) throws IOException;

	}

}

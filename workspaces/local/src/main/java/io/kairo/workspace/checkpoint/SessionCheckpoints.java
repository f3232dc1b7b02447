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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Checkpoint;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
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

	SessionCheckpoints(CheckpointStore store, Path home, TenantContext tenant, Workspace workspace, String session) {
		this.store = store;
		this.home = home;
		this.tenant = tenant;
		this.workspace = workspace;
		this.log = new StepLog(home.resolve(TrackedWorkspace.SESSIONS).resolve(session));
	}

	static BooleanSupplier within(Duration time) {
		long end = System.nanoTime() + time.toNanos();
		return () -> System.nanoTime() - end > 0;
	}

	List<Path> roots() {
		return this.workspace.roots();
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
			tracked.use();
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
		new PendingRewind(this, files, Set.of()).recover(logs());
		tracked().recovered();
	}

	/**
	 * Does so before the first step in this JVM. To be called alone.
	 */
	void recoverOnce(WorkspaceFiles files) throws IOException {
		if (!tracked().isRecovered()) {
			recover(files);
		}
	}

	/**
	 * Returns the numbers of the last steps of all sessions of the workspace, by session.
	 */
	Map<String, Long> lastSteps() {
		Map<String, Long> last = new HashMap<>();
		try {
			for (StepLog each : logs()) {
				last.put(each.directory().getFileName().toString(), each.last());
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "Steps of other processes are not known", ex);
		}
		return last;
	}

	/**
	 * Returns the steps of other processes that came after others.
	 */
	List<Step> foreignStepsSince(Map<String, Long> last) throws IOException {
		List<Step> steps = new ArrayList<>();
		for (StepLog each : logs()) {
			long known = last.getOrDefault(each.directory().getFileName().toString(), 0L);
			for (Path file : each.files()) {
				Step step = (StepLog.number(file) > known && !tracked().isOwn(file)) ? StepLog.read(file) : null;
				if (step != null) {
					steps.add(step);
				}
			}
		}
		return steps;
	}

	private List<StepLog> logs() throws IOException {
		return CheckpointStore.directories(this.home.resolve(TrackedWorkspace.SESSIONS))
			.stream()
			.map(StepLog::new)
			.toList();
	}

	Future<?> later(Runnable work) {
		return this.store.later(work);
	}

	@Override
	public WorkspaceFiles recorded(WorkspaceFiles files) {
		return new RecordedFiles(files, this);
	}

	@Override
	public Recording begin(WorkspaceFiles files, String title) {
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
			this.store.trimIfFull(tracked());
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
		for (CommandRecording each : tracked().running()) {
			deltas.forEach(each::changed);
		}
	}

	Step step(Step.Kind kind, String title, List<Delta> deltas, Set<Long> undone, long from) throws IOException {
		return new Step(this.log.last() + 1, this.store.now(), kind, title, deltas, undone, from);
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
		TreeScan scan = new TreeScan(files, tracked().latest(), tracked(),
				within(tracked().options().maxWait().multipliedBy(PATIENCE)))
			.roots(roots());
		return alone((tracked) -> {
			recoverOnce(files);
			tracked.latest(scan);
			for (CommandRecording each : running) {
				each.split(scan);
			}
			List<Path> earlier = marks(name);
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
	 * Returns the files of the checkpoints of a name.
	 */
	private List<Path> marks(String name) throws IOException {
		List<Path> marks = new ArrayList<>();
		for (Path file : this.log.files()) {
			Step step = StepLog.read(file);
			if (step != null && step.kind() == Step.Kind.CHECKPOINT && step.title().equals(name)) {
				marks.add(file);
			}
		}
		return marks;
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
			else if (step.kind() == Step.Kind.CALL && !undone.contains(step.number())) {
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
	public byte @Nullable [] content(State state, int maxBytes) {
		return (state.type() == FileType.FILE && state.content() != null && state.size() <= maxBytes)
				? tracked().contents().read(state.content(), maxBytes) : null;
	}

	@Override
	public boolean forget(String name) {
		try {
			return alone((tracked) -> {
				boolean found = false;
				for (Path each : marks(name)) {
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

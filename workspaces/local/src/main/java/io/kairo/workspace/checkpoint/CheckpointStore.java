package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceCheckpoints;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.OwnerOnly;
import io.kairo.host.Sha256;
import io.kairo.host.TreeDeletion;
import org.jspecify.annotations.Nullable;

/**
 * The checkpoints of all workspaces, in a directory that only the user of the application
 * can enter: below it a directory for each tenant, and in that a directory for each
 * workspace, with the contents of files and the steps of each session. They outlive the
 * application; several applications may share the directory. Safe for use by several
 * threads.
 */
public final class CheckpointStore implements AutoCloseable {

	private static final Logger logger = System.getLogger(CheckpointStore.class.getName());

	private static final int NAME_BYTES = 16;

	private static final int THREADS = 2;

	private static final Duration CLOSING = Duration.ofSeconds(5);

	private static final Duration REMEMBERED = Duration.ofHours(1);

	/** The part of the maximum that is left after contents were dropped, in percent. */
	private static final int ROOM = 80;

	/** The part of the maximum from which contents are dropped, in percent. */
	private static final int FULL = 90;

	/** Maximum number of steps of a session. */
	private static final int MAX_STEPS = 5000;

	private final Path directory;

	private final CheckpointOptions options;

	private final CheckpointListener listener;

	private final Clock clock;

	/** Distinguishes this application from others with the same directory. */
	private final String id = UUID.randomUUID().toString();

	private final Map<Path, TrackedWorkspace> tracked = new ConcurrentHashMap<>();

	private final @Nullable Trials trials;

	private final ExecutorService readers = Executors.newFixedThreadPool(THREADS, (work) -> {
		Thread thread = new Thread(work, "kairo-checkpoints");
		thread.setDaemon(true);
		return thread;
	});

	/**
	 * Creates a store. The disk is not accessed.
	 * @param directory the directory, created with mode 0700 when it is first needed;
	 * outside of every workspace, and not visible to commands
	 * @param options the bounds
	 */
	public CheckpointStore(Path directory, CheckpointOptions options) {
		this(directory, options, null, (tenant, bytes, maxBytes) -> {
		}, Clock.systemUTC());
	}

	/**
	 * Creates a store. The disk is not accessed.
	 * @param directory the directory, created with mode 0700 when it is first needed;
	 * outside of every workspace, and not visible to commands
	 * @param options the bounds
	 * @param trials the bounds of trials, null to have none
	 * @param listener is told the size of what is kept, and the events of trials
	 * @param clock the clock for the age of steps
	 */
	public CheckpointStore(Path directory, CheckpointOptions options, @Nullable TrialOptions trials,
			CheckpointListener listener, Clock clock) {
		this.directory = directory.toAbsolutePath().normalize();
		this.options = Objects.requireNonNull(options, "options");
		this.trials = (trials != null) ? new Trials(trials) : null;
		this.listener = Objects.requireNonNull(listener, "listener");
		this.clock = Objects.requireNonNull(clock, "clock");
	}

	/**
	 * Returns the bounds.
	 * @return the bounds
	 */
	public CheckpointOptions options() {
		return this.options;
	}

	@Nullable Trials trials() {
		return this.trials;
	}

	/**
	 * Returns the trial of files, null if they are those of a workspace.
	 */
	@Nullable SessionTrial trialOf(WorkspaceFiles files) {
		return (this.trials != null) ? this.trials.of(files) : null;
	}

	/**
	 * Opens the checkpoints of a session in a workspace.
	 * @param tenant the tenant; no other tenant reaches the same
	 * @param session identifies the session within the tenant
	 * @param workspace the workspace; if it is not on disk, its checkpoints end with this
	 * store
	 * @return the checkpoints; the disk is accessed when they are used
	 */
	public WorkspaceCheckpoints open(TenantContext tenant, String session, Workspace workspace) {
		String owner = workspace.onDisk() ? workspace.root().toString() : this.id + "\n" + workspace.id();
		Path home = directory(tenant).resolve(Sha256.hex(owner, NAME_BYTES));
		return new SessionCheckpoints(this, home, tenant, workspace, Sha256.hex(session, NAME_BYTES));
	}

	private Path directory(TenantContext tenant) {
		return this.directory.resolve(Sha256.hex(tenant.tenantId(), NAME_BYTES));
	}

	void told(TenantContext tenant, CheckpointListener.TrialEvent event) {
		this.listener.trial(tenant, event);
	}

	/**
	 * Tells the size of what is kept for a tenant.
	 */
	void measured(TenantContext tenant) {
		Path directory = directory(tenant);
		long bytes = this.tracked.entrySet()
			.stream()
			.filter((each) -> each.getKey().startsWith(directory))
			.mapToLong((each) -> each.getValue().bytes())
			.sum();
		this.listener.measured(tenant, bytes, this.options.maxBytesPerTenant());
	}

	/**
	 * Returns the state of a workspace.
	 * @throws UncheckedIOException if its directory cannot be created
	 */
	TrackedWorkspace track(Path home) {
		return this.tracked.computeIfAbsent(home, (missing) -> {
			try {
				OwnerOnly.require(OwnerOnly.createDirectories(this.directory));
				OwnerOnly.createDirectory(Objects.requireNonNull(home.getParent()));
				TrackedWorkspace created = new TrackedWorkspace(home, this.options,
						new Leases(home.resolve("leases"), this.id, REMEMBERED, this.clock), this.clock);
				this.readers.execute(created::count);
				return created;
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		});
	}

	/**
	 * Returns the other workspaces that have directories in common with one.
	 */
	Stream<TrackedWorkspace> overlapping(TrackedWorkspace workspace) {
		return this.tracked.values().stream().filter((other) -> other != workspace && other.overlaps(workspace));
	}

	boolean isTracked() {
		return !this.tracked.isEmpty();
	}

	Instant now() {
		return this.clock.instant();
	}

	Future<?> later(Runnable work) {
		return this.readers.submit(work);
	}

	/**
	 * Drops the oldest steps of a workspace that keeps too much, unless lately nothing
	 * could be dropped. To be called alone.
	 * @param replaced a state that is not needed any more
	 * @return whether something was dropped
	 */
	boolean trimIfFull(TrackedWorkspace workspace, Map<WorkspacePath, Node> replaced) throws IOException {
		long before = workspace.bytes();
		if (before <= Math.max(workspace.needed(), this.options.maxBytes() * FULL / 100)) {
			return false;
		}
		trim(workspace, this.options.maxBytes() * ROOM / 100, this.options.maxBytes(), replaced.values());
		workspace.needed(workspace.bytes());
		return workspace.bytes() < before;
	}

	/**
	 * Drops the oldest steps of a workspace until so many bytes fit. To be called alone.
	 * @return whether something was dropped
	 */
	boolean makeRoom(TrackedWorkspace workspace, long bytes) throws IOException {
		return trim(workspace, Math.max(0, this.options.maxBytes() - bytes), this.options.maxBytes(), List.of()) > 0;
	}

	/**
	 * Removes what is too old or too much. To be called about every minute.
	 */
	public void sweep() {
		sweep(REMEMBERED);
	}

	/**
	 * Sweeps.
	 * @param remembered the time after which an unused workspace is forgotten
	 */
	void sweep(Duration remembered) {
		if (this.trials != null) {
			this.trials.sweep();
		}
		try {
			for (Path tenant : SessionLogs.directories(this.directory)) {
				List<Path> homes = SessionLogs.directories(tenant);
				for (Path home : homes) {
					boolean idle = track(home).isIdle(remembered.toNanos());
					onWorkspace(home, (workspace) -> sweep(workspace, idle));
				}
				trimTenant(homes);
			}
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The checkpoints cannot be swept; it is tried again later", ex);
		}
	}

	private void onWorkspace(Path home, SessionCheckpoints.Alone<?> action) {
		try {
			TrackedWorkspace workspace = track(home);
			workspace.alone(() -> action.perform(workspace));
		}
		catch (IOException | UncheckedIOException ex) {
			logger.log(Level.WARNING, "What is kept for a workspace cannot be swept; it is tried again later", ex);
		}
	}

	/**
	 * Trims the workspaces of a tenant until all together are small enough: first forgets
	 * the state of those without commands, then drops steps of those that keep most.
	 */
	private void trimTenant(List<Path> homes) {
		List<TrackedWorkspace> largestFirst = new ArrayList<>();
		for (Path home : homes) {
			TrackedWorkspace workspace = this.tracked.get(home);
			if (workspace != null) {
				largestFirst.add(workspace);
			}
		}
		largestFirst.sort(Comparator.comparingLong(TrackedWorkspace::bytes).reversed());
		AtomicLong excess = new AtomicLong(
				largestFirst.stream().mapToLong(TrackedWorkspace::bytes).sum() - this.options.maxBytesPerTenant());
		for (TrackedWorkspace each : largestFirst) {
			if (excess.get() > 0 && each.running().isEmpty()) {
				each.forgetLatest();
				onWorkspace(each.home(), (workspace) -> excess
					.addAndGet(-trim(workspace, this.options.maxBytes(), this.options.maxBytes(), List.of())));
			}
		}
		for (TrackedWorkspace each : largestFirst) {
			if (excess.get() > 0) {
				long most = Math.max(0, each.bytes() - excess.get());
				onWorkspace(each.home(), (workspace) -> excess.addAndGet(-trim(workspace, most, most, List.of())));
			}
		}
	}

	/**
	 * Removes what is too old.
	 * @param unused whether the workspace is to be forgotten
	 * @return whether it was
	 */
	private boolean sweep(TrackedWorkspace workspace, boolean unused) throws IOException {
		Instant oldest = now().minus(this.options.maxAge());
		boolean empty = true;
		boolean dropped = false;
		for (Path session : workspace.sessions().directories()) {
			List<Path> files = new StepLog(session).files();
			for (int i = 0; i < files.size(); i++) {
				if (!Files.getLastModifiedTime(files.get(i)).toInstant().isBefore(oldest)
						&& files.size() - i <= MAX_STEPS) {
					break; // the rest is younger
				}
				dropped |= Files.deleteIfExists(files.get(i));
			}
			empty &= deleteIfEmpty(session);
		}
		boolean idle = unused && workspace.running().isEmpty();
		if (idle) {
			workspace.retire();
			this.tracked.remove(workspace.home(), workspace);
		}
		if (dropped || idle) {
			trim(workspace, this.options.maxBytes(), this.options.maxBytes(), List.of());
		}
		workspace.needed(0);
		if (!workspace.running().isEmpty()) {
			workspace.leases().renew();
		}
		if (idle && empty && workspace.bytes() == 0) {
			TreeDeletion.delete(workspace.home());
		}
		return idle;
	}

	/**
	 * Removes contents that nothing needs, and drops the oldest steps until the rest is
	 * small enough: first those before all checkpoints of their session, last those that
	 * a checkpoint needs, with the checkpoint, and the last step.
	 * @param most the size in bytes from which steps are dropped
	 * @param utmost the size in bytes from which those are dropped that are needed
	 * @param replaced a state whose contents need not be kept, even if they are young
	 * @return the size of what is no longer kept, in bytes
	 */
	private long trim(TrackedWorkspace workspace, long most, long utmost, Collection<Node> replaced)
			throws IOException {
		long before = workspace.bytes();
		Map<String, Long> sizes = workspace.contents().sizes();
		List<KeptStep> steps = new ArrayList<>();
		for (Path session : workspace.sessions().directories()) {
			boolean needed = false;
			for (Path file : new StepLog(session).files()) {
				Step step = StepLog.read(file);
				needed |= step != null && step.kind() == Step.Kind.CHECKPOINT;
				if (step != null) {
					steps.add(KeptStep.of(file, step, needed));
				}
			}
		}
		steps.sort(Comparator.comparing(KeptStep::needed).thenComparing(KeptStep::time).thenComparing(KeptStep::file));
		Map<String, Integer> uses = new HashMap<>();
		workspace.cached().values().forEach((node) -> use(node.content(), uses));
		workspace.running().forEach((recording) -> recording.contents().forEach((node) -> use(node.content(), uses)));
		steps.forEach((step) -> step.contents().forEach((content) -> use(content, uses)));
		long rest = uses.keySet().stream().mapToLong((content) -> sizes.getOrDefault(content, 0L)).sum()
				+ steps.stream().mapToLong(KeptStep::bytes).sum();
		long stepBytes = steps.stream().mapToLong(KeptStep::bytes).sum();
		Set<String> released = new HashSet<>();
		replaced.forEach((node) -> {
			if (node.content() != null && !uses.containsKey(node.content())) {
				released.add(node.content());
			}
		});
		Instant last = steps.stream().map(KeptStep::time).max(Comparator.naturalOrder()).orElse(Instant.MIN);
		for (KeptStep step : steps) {
			if (rest <= ((step.needed() || step.time().equals(last)) ? utmost : most)) {
				continue;
			}
			Files.deleteIfExists(step.file());
			rest -= step.bytes();
			stepBytes -= step.bytes();
			for (String content : step.contents()) {
				if (uses.merge(content, -1, Integer::sum) == 0) {
					uses.remove(content);
					released.add(content);
					rest -= sizes.getOrDefault(content, 0L);
				}
			}
		}
		workspace.stepBytes().set(stepBytes);
		workspace.contents().retain(uses.keySet(), released, workspace.leases().areOthers());
		return before - rest;
	}

	private static void use(@Nullable String content, Map<String, Integer> uses) {
		if (content != null) {
			uses.merge(content, 1, Integer::sum);
		}
	}

	private static boolean deleteIfEmpty(Path directory) {
		try {
			return Files.deleteIfExists(directory);
		}
		catch (IOException ex) {
			return false; // it is in use
		}
	}

	/**
	 * Ends the threads, and waits for them for 5 seconds at most. Trials should have
	 * ended before.
	 */
	@Override
	public void close() {
		if (this.trials != null) {
			this.trials.close();
		}
		this.readers.shutdownNow();
		this.tracked.values().forEach((workspace) -> workspace.leases().release());
		try {
			this.readers.awaitTermination(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recorded;
import io.kairo.api.workspace.WorkspaceCheckpoints.Recording;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Compares the workspace before and after a command. What other steps change meanwhile
 * does not count. Safe for use by several threads.
 */
final class CommandRecording implements Recording {

	private static final Logger logger = System.getLogger(CommandRecording.class.getName());

	private static final int MAX_NAMED = 5;

	private final SessionCheckpoints session;

	private final TrackedWorkspace tracked;

	private final WorkspaceFiles files;

	private final String title;

	/** The changes of the steps of others, by path in the order of the steps. */
	private final Map<WorkspacePath, List<Other>> ofOthers = new ConcurrentHashMap<>();

	/** The numbers of the last steps of all sessions when the command began. */
	private volatile Map<String, Long> steps;

	private volatile Map<WorkspacePath, Node> before = Map.of();

	private volatile TreeScan first;

	private volatile @Nullable Future<?> reading;

	/** Whether the end of the command was reported. */
	private volatile boolean ending;

	/** Whether a scan is going on. */
	private volatile boolean scanning = true;

	private @Nullable Recorded result;

	CommandRecording(SessionCheckpoints session, TrackedWorkspace tracked, WorkspaceFiles files, String title) {
		this.session = session;
		this.tracked = tracked;
		this.files = files;
		this.title = title;
		this.steps = tracked.sessions().lastSteps();
		this.first = new TreeScan(files, Map.of(), tracked, () -> true);
	}

	/**
	 * Lets steps of others count from now on. To be called alone.
	 */
	CommandRecording register() {
		this.tracked.running().add(this);
		return this;
	}

	/**
	 * Examines the workspace before the command.
	 */
	CommandRecording examine() throws IOException {
		boolean examined = false;
		try {
			if (this.tracked.isTooLarge()) {
				this.first.giveUp();
			}
			else {
				this.first = this.session.scan(this.files, this.tracked, 1);
			}
			if (!this.first.isIncomplete()) {
				this.before = this.first.found();
				this.reading = (this.first.pending() > 0) ? this.session.later(this::readRest) : null;
				this.tracked.awaitClock();
			}
			this.scanning = false;
			examined = true;
			return this;
		}
		finally {
			if (!examined) {
				this.tracked.running().remove(this);
			}
		}
	}

	/**
	 * Announces a scan, before or after which steps of others may be from now on.
	 */
	void expectScan() {
		this.scanning = true;
	}

	/**
	 * Keeps the contents for which there was no time, unless the command was faster.
	 */
	private void readRest() {
		Map<WorkspacePath, Node> state = this.before;
		TreeScan scan = new TreeScan(this.files, state, this.tracked, () -> this.ending).roots(this.session.roots());
		scan.found()
			.forEach((path, node) -> state.computeIfPresent(path,
					(same, former) -> (former.content() == null && former.stamp().equals(node.stamp()))
							? former.withContent(node.content()) : former));
	}

	/**
	 * Is told what another step of this JVM has changed. To be called alone.
	 */
	void changed(List<Delta> deltas) {
		deltas.forEach((delta) -> add(delta, this.ending || this.scanning));
	}

	/**
	 * Is told what a step in another workspace with common directories has changed.
	 */
	void changedByOverlapping(List<Delta> deltas) {
		for (Delta delta : deltas) {
			Path changed = delta.path().toPath();
			for (Path root : this.session.roots()) {
				if (changed.startsWith(root) && !changed.equals(root)) {
					add(new Delta(new WorkspacePath(root, root.relativize(changed).toString()), delta.before(),
							delta.after()), true);
				}
			}
		}
	}

	private void add(Delta delta, boolean unordered) {
		this.ofOthers.merge(delta.path(), List.of(new Other(delta, unordered)),
				(others, last) -> Stream.concat(others.stream(), last.stream()).toList());
	}

	/**
	 * Returns the state before, whose contents are needed.
	 */
	Collection<Node> contents() {
		return this.before.values();
	}

	boolean isOf(SessionCheckpoints other) {
		return this.session.log().equals(other.log());
	}

	@Override
	public synchronized Recorded end() {
		Recorded known = this.result;
		if (known == null) {
			this.ending = true;
			try {
				awaitReading();
				known = this.first.isIncomplete() ? unrecorded() : compare();
			}
			catch (RuntimeException ex) {
				logger.log(Level.WARNING, "The changes of a command cannot be recorded", ex);
				known = new Recorded(0, 0, 0, List.of(), "of an error");
			}
			finally {
				this.tracked.running().remove(this);
			}
			this.result = known;
		}
		return known;
	}

	private void awaitReading() {
		Future<?> rest = this.reading;
		if (rest == null) {
			return;
		}
		try {
			rest.get(this.tracked.options().maxWait().toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (ExecutionException | TimeoutException ex) {
			rest.cancel(false);
			logger.log(Level.WARNING, "The contents of a workspace were not kept in time", ex);
		}
	}

	private Recorded compare() {
		TreeScan scan = new TreeScan(this.files, this.before, this.tracked,
				SessionCheckpoints.within(this.tracked.options().maxWait()))
			.roots(this.session.roots());
		if (scan.isIncomplete()) {
			return unrecorded();
		}
		this.session.overlapping().forEach(TrackedWorkspace::awaitAnnouncement);
		try {
			return this.tracked.alone(() -> {
				this.tracked.running().remove(this);
				this.tracked.latest(scan);
				List<Delta> deltas = record(scan);
				return recorded(deltas);
			});
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "The changes of a command cannot be recorded", ex);
			return new Recorded(0, 0, 0, List.of(), "the record cannot be written");
		}
	}

	/**
	 * Records what the command did until a checkpoint. To be called alone.
	 */
	void split(TreeScan scan) throws IOException {
		if (this.tracked.running().contains(this) && !this.ending && !this.first.isIncomplete()
				&& !scan.isIncomplete()) {
			record(scan);
			this.ofOthers.replaceAll((path, others) -> after(scan.found().get(path), others));
			this.steps = this.tracked.sessions().lastSteps();
			this.before = scan.found();
		}
	}

	/**
	 * Returns the changes that may have come after the scan that found a state.
	 */
	private static List<Other> after(@Nullable Node found, List<Other> others) {
		return others.stream()
			.dropWhile((other) -> !other.isAfter(found))
			.map((other) -> new Other(other.delta(), false))
			.toList();
	}

	/**
	 * Announces the end of a scan.
	 */
	void scanned() {
		this.scanning = false;
	}

	private List<Delta> record(TreeScan scan) throws IOException {
		this.tracked.sessions()
			.stepsSince(this.steps, this.tracked::isOwn)
			.forEach((step) -> step.deltas().forEach((delta) -> add(delta, true)));
		List<Delta> deltas = deltas(scan);
		this.session.record(this.title, deltas);
		return deltas;
	}

	private List<Delta> deltas(TreeScan scan) {
		List<Delta> deltas = new ArrayList<>();
		scan.found().forEach((path, after) -> add(path, this.before.get(path), after, scan, deltas));
		this.before.forEach((path, former) -> {
			if (!scan.found().containsKey(path)) {
				add(path, former, null, scan, deltas);
			}
		});
		this.ofOthers.keySet().forEach((path) -> {
			if (!scan.found().containsKey(path) && !this.before.containsKey(path)) {
				add(path, null, null, scan, deltas);
			}
		});
		return deltas;
	}

	private void add(WorkspacePath path, @Nullable Node former, @Nullable Node after, TreeScan scan,
			List<Delta> deltas) {
		Node last = former;
		for (Other other : this.ofOthers.getOrDefault(path, List.of())) {
			if (other.isAfter(after)) {
				break;
			}
			last = other.delta().after();
		}
		if (!Node.same(last, after) && !this.first.isUnknown(path) && !scan.isUnknown(path)) {
			deltas.add(new Delta(path, stillKept(last), after));
		}
	}

	/**
	 * Forgets a content that another process has removed.
	 */
	private @Nullable Node stillKept(@Nullable Node node) {
		if (node == null || node.type() != FileType.FILE || node.content() == null
				|| this.tracked.contents().has(node.content(), node.size())) {
			return node;
		}
		this.tracked.forgetLatest();
		return node.withContent(null);
	}

	/**
	 * Appends a step without changes, so that the session can tell what is missing.
	 */
	private Recorded unrecorded() {
		String reason = "the workspace has more than " + this.tracked.options().maxFiles()
				+ " files and directories, or could not be examined";
		try {
			this.tracked.alone(() -> {
				this.session.append(SessionCheckpoints.UNRECORDED + this.title, List.of());
				return reason;
			});
		}
		catch (IOException ex) {
			logger.log(Level.WARNING, "A command cannot be recorded", ex);
		}
		return new Recorded(0, 0, 0, List.of(), this.session.tellOnce(reason));
	}

	private static Recorded recorded(List<Delta> deltas) {
		List<WorkspacePath> unkept = deltas.stream()
			.filter((delta) -> delta.before() != null && !delta.before().isKept())
			.map(Delta::path)
			.sorted()
			.limit(MAX_NAMED)
			.toList();
		long created = deltas.stream().filter((delta) -> delta.before() == null).count();
		long deleted = deltas.stream().filter((delta) -> delta.after() == null).count();
		return new Recorded(created, deltas.size() - created - deleted, deleted, unkept, null);
	}

	/**
	 * A change by a step of others.
	 *
	 * @param delta its change
	 * @param unordered whether it may have come after the last scan
	 */
	private record Other(Delta delta, boolean unordered) {

		/**
		 * Returns whether the change may have come after the scan that found a state.
		 */
		boolean isAfter(@Nullable Node found) {
			return this.unordered && Node.same(this.delta.before(), found);
		}

	}

}

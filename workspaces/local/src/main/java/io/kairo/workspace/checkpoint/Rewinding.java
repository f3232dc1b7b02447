package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceCheckpoints.Range;
import io.kairo.api.workspace.WorkspaceCheckpoints.Rewind;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * Undoes steps. For use by one thread, alone in the workspace's record.
 */
final class Rewinding {

	/** Maximum number of attempts to undo what the store does not refuse. */
	private static final int ATTEMPTS = 200;

	/** Number of refused entries of a directory after which all are taken to be. */
	private static final int MAX_REFUSED = 8;

	/** The title of an undoing of an undoing that is not complete. */
	private static final String PARTIAL = "redo in part";

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final List<Path> roots;

	private final Range range;

	/** The paths to which the undoing is limited, none for all. */
	private final List<WorkspacePath> paths;

	private final Set<WorkspacePath> overwritten;

	/** The steps to undo, the newest first. */
	private List<Step> calls = List.of();

	/** The calls that are undone. */
	private Set<Long> undone = Set.of();

	/** The calls that are undone afterwards. */
	private Set<Long> after = Set.of();

	/** The number of the first step to undo. */
	private long first;

	/** The changes to undo, by path. */
	private final Map<WorkspacePath, Net> nets = new TreeMap<>();

	/** Number of refused entries by their directory. */
	private final Map<WorkspacePath, Integer> refusals = new HashMap<>();

	/** Directories that the store refuses to receive with what is in them. */
	private final Set<WorkspacePath> single = new HashSet<>();

	Rewinding(SessionCheckpoints session, WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten) {
		this.session = session;
		this.files = files;
		this.range = range;
		this.roots = session.roots();
		this.paths = range.paths().stream().map(this::fromRoot).toList();
		this.overwritten = overwritten.stream().map(this::fromRoot).collect(Collectors.toSet());
	}

	private WorkspacePath fromRoot(WorkspacePath path) {
		return SessionCheckpoints.fromRoot(path, this.roots);
	}

	WorkspaceResult<Rewind> plan() throws IOException {
		this.session.recover(this.files);
		String missing = select();
		if (missing != null) {
			return WorkspaceResult.failure(WorkspaceErrorCode.FILE_NOT_FOUND, missing);
		}
		examine();
		return WorkspaceResult.ok(result(false));
	}

	WorkspaceResult<Rewind> perform() throws IOException {
		WorkspaceResult<Rewind> planned = plan();
		if (!planned.isOk()) {
			return planned;
		}
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			List<Delta> deltas = this.nets.values().stream().filter(Net::isFree).map(Net::delta).toList();
			if (deltas.isEmpty() && !this.nets.isEmpty()) {
				return WorkspaceResult.ok(result(false));
			}
			boolean all = this.paths.isEmpty();
			boolean redo = this.range.kind() == Range.Kind.REDO;
			boolean partial = redo && (!all || deltas.size() < this.nets.size());
			Step step = this.session.step(redo ? Step.Kind.REDO : Step.Kind.REWIND,
					partial ? PARTIAL : redo ? "redo" : "rewind", deltas, (all && !partial) ? this.after : this.undone,
					this.first);
			PendingRewind pending = new PendingRewind(this.session, this.files, this.single);
			WorkspaceResult<?> applied = pending.perform(step);
			if (applied.isOk()) {
				pending.refused().forEach((path, obstacle) -> {
					Net net = this.nets.get(path);
					if (net != null) {
						net.obstacle(obstacle);
					}
				});
				announce(step);
				return WorkspaceResult.ok(result(true));
			}
			planned = ((WorkspaceResult.Failure<?>) applied).cast();
			if (!refuse(pending.refused())) {
				return planned;
			}
		}
		return planned;
	}

	/**
	 * Gives up entries that the store refused.
	 * @return whether there is any
	 */
	private boolean refuse(Map<WorkspacePath, Obstacle> refused) {
		boolean any = false;
		for (Net net : this.nets.values()) {
			if (refused.containsKey(net.path()) && net.isFree() && net.createsDirectory()
					&& this.single.add(net.path())) {
				refused.remove(net.path()); // perhaps not all of it is refused
				any = true;
			}
		}
		refused.keySet().forEach((path) -> this.refusals.merge(path.parent(), 1, Integer::sum));
		for (Net net : this.nets.values()) {
			if (net.isFree() && this.refusals.getOrDefault(net.path().parent(), 0) > MAX_REFUSED) {
				net.obstacle(Obstacle.REFUSED);
			}
			for (WorkspacePath path = net.path(); net.isFree(); path = path.parent()) {
				Obstacle obstacle = refused.get(path);
				if (obstacle != null) {
					net.obstacle(obstacle);
					any = true;
				}
				if (path.isRoot()) {
					break;
				}
			}
		}
		keepUsedDirectories();
		keepChildrenOfObstacles();
		return any;
	}

	private void announce(Step step) {
		List<WorkspacePath> paths = step.deltas().stream().map(Delta::path).toList();
		Map<WorkspacePath, Node> now = scan().single(paths).found();
		this.session.announce(step.deltas()
			.stream()
			.map((delta) -> new Delta(delta.path(), delta.before(), now.get(delta.path())))
			.toList());
	}

	private TreeScan scan() {
		TrackedWorkspace tracked = this.session.tracked();
		return new TreeScan(this.files, tracked.latest(), tracked, () -> false);
	}

	private Rewind result(boolean done) {
		return new Rewind(this.calls.stream().map(Step::title).toList(),
				this.nets.values().stream().map(Net::change).toList(), done);
	}

	/**
	 * Selects the steps, and sums them up.
	 * @return why there is nothing to undo, null if there is
	 */
	private @Nullable String select() throws IOException {
		List<Step> steps = this.session.log().steps();
		this.undone = SessionCheckpoints.undone(steps);
		if (this.range.kind() == Range.Kind.REDO) {
			return selectRedo(steps);
		}
		List<Step> active = new ArrayList<>(steps.stream()
			.filter((step) -> step.kind() == Step.Kind.CALL && !this.undone.contains(step.number()))
			.toList());
		Collections.reverse(active);
		if (this.range.kind() == Range.Kind.SINCE) {
			Step mark = null;
			for (Step step : steps) {
				mark = (step.kind() == Step.Kind.CHECKPOINT && step.title().equals(this.range.checkpoint())) ? step
						: mark;
			}
			if (mark == null) {
				return missing(steps);
			}
			this.first = mark.number();
		}
		else if (this.range.kind() == Range.Kind.LAST) {
			Step obstructed = this.overwritten.isEmpty() ? null : rewinds(steps).peek();
			if (obstructed != null && obstructed.number() == steps.get(steps.size() - 1).number()) {
				this.first = obstructed.from(); // again, for what was kept
			}
			else if (active.isEmpty()) {
				return "There is no step to undo";
			}
			else {
				this.first = active.get(Math.min(this.range.steps(), active.size()) - 1).number();
			}
		}
		this.calls = active.stream().filter((step) -> step.number() >= this.first).toList();
		// what was undone since then is as it was before
		Set<Long> all = new HashSet<>(
				SessionCheckpoints.undone(steps.stream().filter((step) -> step.number() < this.first).toList()));
		steps.stream()
			.filter((step) -> step.number() >= this.first && step.kind() == Step.Kind.CALL)
			.forEach((step) -> all.add(step.number()));
		this.after = all;
		sum(steps.stream().filter((step) -> step.number() >= this.first).toList());
		if (this.range.kind() == Range.Kind.LAST) {
			// an undoing of some paths has put them back further
			rewinds(steps).stream()
				.filter((step) -> step.number() >= this.first && step.from() <= this.first)
				.forEach((step) -> step.deltas().forEach((delta) -> this.nets.remove(fromRoot(delta.path()))));
		}
		return null;
	}

	private String missing(List<Step> steps) {
		List<String> names = steps.stream()
			.filter((step) -> step.kind() == Step.Kind.CHECKPOINT)
			.map((step) -> "'" + step.title() + "'")
			.toList();
		return "There is no checkpoint '" + this.range.checkpoint() + "', "
				+ (names.isEmpty() ? "nor any other" : "but " + String.join(", ", names));
	}

	private @Nullable String selectRedo(List<Step> steps) {
		Deque<Step> rewinds = rewinds(steps);
		Step last = rewinds.poll();
		if (last == null) {
			return "There is nothing to redo";
		}
		this.calls = List.of(last);
		this.after = SessionCheckpoints.undone(steps.stream().filter((step) -> step.number() < last.number()).toList());
		sum(List.of(last));
		return null;
	}

	/**
	 * Returns the undoings that were not undone themselves, the last one first.
	 */
	private static Deque<Step> rewinds(List<Step> steps) {
		Deque<Step> rewinds = new ArrayDeque<>();
		for (Step step : steps) {
			if (step.kind() == Step.Kind.REWIND && !step.deltas().isEmpty()) {
				rewinds.push(step);
			}
			else if (step.kind() == Step.Kind.REDO && !step.title().equals(PARTIAL)) {
				rewinds.poll();
			}
		}
		return rewinds;
	}

	private void sum(List<Step> steps) {
		for (Step step : steps) {
			for (Delta delta : step.deltas()) {
				WorkspacePath path = fromRoot(delta.path());
				if (this.paths.isEmpty() || this.paths.stream().anyMatch(path::startsWith)) {
					this.nets.computeIfAbsent(path, (missing) -> new Net(path, delta.before())).add(delta);
				}
			}
		}
	}

	/**
	 * Finds out which changes can be undone.
	 */
	private void examine() {
		TreeScan scan = scan()
			.single(this.nets.keySet().stream().filter((path) -> this.roots.contains(path.root())).toList());
		this.nets.values().forEach((net) -> net.current(scan.found().get(net.path())));
		this.nets.values()
			.removeIf((net) -> this.roots.contains(net.path().root()) && !scan.isUnknown(net.path())
					&& Node.same(net.current(), net.target())
					&& (!scan.isLinked(net.path()) || isBelowOwnLink(net.path())));
		for (Net net : this.nets.values()) {
			Obstacle obstacle = obstacle(net, scan);
			if (obstacle != null) {
				net.obstacle(obstacle);
			}
		}
		keepUsedDirectories();
		keepChildrenOfObstacles();
	}

	private @Nullable Obstacle obstacle(Net net, TreeScan scan) {
		if (!this.roots.contains(net.path().root()) || scan.isUnknown(net.path())) {
			return Obstacle.REFUSED;
		}
		if (scan.isLinked(net.path()) && !isBelowOwnLink(net.path())) {
			return Obstacle.CONFLICT;
		}
		Node target = net.target();
		if (target != null && (!target.isKept() || (target.type() == FileType.FILE && target.content() != null
				&& !this.session.tracked().contents().has(target.content(), target.size())))) {
			return Obstacle.UNKEPT;
		}
		if (this.overwritten.contains(net.path())) {
			return null;
		}
		return !net.isOwn() ? Obstacle.CONFLICT : net.losesContent() ? Obstacle.UNKEPT : null;
	}

	/**
	 * Returns whether a link above an entry goes, or becomes the directory that it was.
	 */
	private boolean isBelowOwnLink(WorkspacePath path) {
		for (WorkspacePath each = path; !each.isRoot();) {
			each = each.parent();
			Net above = this.nets.get(each);
			if (above != null && above.isFree() && above.isOwn() && above.losesLink()) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Keeps directories with entries that stay.
	 */
	private void keepUsedDirectories() {
		List<Net> deepestFirst = new ArrayList<>(this.nets.values());
		Collections.reverse(deepestFirst);
		for (Net net : deepestFirst) {
			if (net.isFree() && net.removesDirectory() && TreeScan.hasOthers(this.files, net.path(), this::isRemoved)) {
				net.obstacle(Obstacle.NOT_EMPTY);
			}
		}
	}

	private boolean isRemoved(WorkspacePath path) {
		Net net = this.nets.get(path);
		return net != null && net.isFree() && net.target() == null;
	}

	/**
	 * Gives up entries whose directory cannot be made.
	 */
	private void keepChildrenOfObstacles() {
		for (Net net : this.nets.values()) {
			Net above = net.path().isRoot() ? null : this.nets.get(net.path().parent());
			if (above == null || !net.isFree() || net.target() == null) {
				continue;
			}
			Obstacle obstacle = above.obstacle();
			Node present = above.current();
			if (obstacle != null && (present == null || present.type() != FileType.DIRECTORY)) {
				net.obstacle(obstacle);
			}
		}
	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceCheckpoints.Change;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are examined, and then made in one step, as far as nobody else has changed
 * the same entries. For use by one thread, alone in the workspace's record.
 */
final class NetChanges {

	private static final Logger logger = System.getLogger(NetChanges.class.getName());

	/** Maximum number of attempts to make what the store does not refuse. */
	private static final int ATTEMPTS = 200;

	/** Number of refused entries of a directory after which all are taken to be. */
	private static final int MAX_REFUSED = 8;

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final List<Path> roots;

	private final Set<WorkspacePath> overwritten;

	/** Whether all of the changes are made or none. */
	private final boolean whole;

	private final Map<WorkspacePath, Net> nets = new TreeMap<>();

	/** Number of refused entries by their directory. */
	private final Map<WorkspacePath, Integer> refusals = new HashMap<>();

	/** Directories that the store refuses to receive with what is in them. */
	private final Set<WorkspacePath> single = new HashSet<>();

	/**
	 * Creates changes, none to begin with.
	 * @param overwritten the entries that are changed even if others changed them
	 * @param whole whether all of the changes are made or none
	 */
	NetChanges(SessionCheckpoints session, WorkspaceFiles files, Set<WorkspacePath> overwritten, boolean whole) {
		this.session = session;
		this.files = files;
		this.roots = session.roots();
		this.overwritten = overwritten;
		this.whole = whole;
	}

	/**
	 * Returns the change of an entry.
	 * @param target its state afterwards, if it has no change yet
	 */
	Net net(WorkspacePath path, @Nullable Node target) {
		return this.nets.computeIfAbsent(path, (missing) -> new Net(path, target));
	}

	void remove(WorkspacePath path) {
		this.nets.remove(path);
	}

	int size() {
		return this.nets.size();
	}

	List<Change> list() {
		return this.nets.values().stream().map(Net::change).toList();
	}

	/**
	 * Makes the changes.
	 * @return whether they were made; or a failure, after which nothing is changed
	 */
	WorkspaceResult<Boolean> perform(Steps steps) throws IOException {
		WorkspaceResult<Boolean> failed = WorkspaceResult.ok(false);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			List<Delta> deltas = this.nets.values().stream().filter(Net::isFree).map(Net::delta).toList();
			if ((deltas.isEmpty() && !this.nets.isEmpty()) || (this.whole && deltas.size() < this.nets.size())) {
				return WorkspaceResult.ok(false);
			}
			Step step = steps.of(deltas);
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
				return WorkspaceResult.ok(true);
			}
			failed = ((WorkspaceResult.Failure<?>) applied).cast();
			if (!refuse(pending.refused())) {
				return failed;
			}
		}
		return failed;
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
		Map<WorkspacePath, Node> now = scan().single(step.deltas().stream().map(Delta::path).toList()).found();
		List<Delta> deltas = step.deltas()
			.stream()
			.map((delta) -> new Delta(delta.path(), delta.before(), now.get(delta.path())))
			.toList();
		this.session.announce(deltas);
		if (step.kind() == Step.Kind.COMMIT) {
			try {
				// a file that is too large to be kept is known by its stamp
				this.session.log().replace(step.with(deltas));
			}
			catch (IOException ex) {
				logger.log(Level.WARNING, "Large files of a trial that was committed cannot be put back", ex);
			}
		}
	}

	private TreeScan scan() {
		TrackedWorkspace tracked = this.session.tracked();
		return new TreeScan(this.files, tracked.latest(), tracked, () -> false);
	}

	/**
	 * Finds out which changes can be made.
	 */
	void examine() {
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

	/**
	 * Gives up entries.
	 */
	void refuse(Predicate<WorkspacePath> entries) {
		this.nets.values()
			.stream()
			.filter((net) -> net.isFree() && entries.test(net.path()))
			.forEach((net) -> net.obstacle(Obstacle.REFUSED));
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
		return !net.isOwn() ? Obstacle.CONFLICT : (!this.whole && net.losesContent()) ? Obstacle.UNKEPT : null;
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

	/**
	 * Creates the step that makes changes.
	 */
	@FunctionalInterface
	interface Steps {

		Step of(List<Delta> deltas) throws IOException;

	}

}

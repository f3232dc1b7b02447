package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

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

	/** The title of an undoing of an undoing that is not complete. */
	private static final String PARTIAL = "redo in part";

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final List<Path> roots;

	private final Range range;

	/** The paths to which the undoing is limited, none for all. */
	private final List<WorkspacePath> paths;

	/** Whether what was kept is to be undone as well. */
	private final boolean again;

	private final NetChanges changes;

	/** The steps to undo, the newest first. */
	private List<Step> calls = List.of();

	/** The calls that are undone. */
	private Set<Long> undone = Set.of();

	/** The calls that are undone afterwards. */
	private Set<Long> after = Set.of();

	/** The number of the first step to undo. */
	private long first;

	Rewinding(SessionCheckpoints session, WorkspaceFiles files, Range range, Set<WorkspacePath> overwritten) {
		this.session = session;
		this.files = files;
		this.range = range;
		this.roots = session.roots();
		this.paths = range.paths().stream().map(this::fromRoot).toList();
		this.again = !overwritten.isEmpty();
		this.changes = new NetChanges(session, files,
				overwritten.stream().map(this::fromRoot).collect(Collectors.toSet()), false);
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
		this.changes.examine();
		return WorkspaceResult.ok(result(false));
	}

	WorkspaceResult<Rewind> perform() throws IOException {
		WorkspaceResult<Rewind> planned = plan();
		return planned.isOk() ? this.changes.perform(this::step).map(this::result) : planned;
	}

	private Step step(List<Delta> deltas) throws IOException {
		boolean all = this.paths.isEmpty();
		boolean redo = this.range.kind() == Range.Kind.REDO;
		boolean partial = redo && (!all || deltas.size() < this.changes.size());
		return this.session.step(redo ? Step.Kind.REDO : Step.Kind.REWIND, partial ? PARTIAL : redo ? "redo" : "rewind",
				deltas, (all && !partial) ? this.after : this.undone, this.first);
	}

	private Rewind result(boolean done) {
		return new Rewind(this.calls.stream().map(Step::title).toList(), this.changes.list(), done);
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
		List<Step> active = new ArrayList<>(
				steps.stream().filter((step) -> step.isCall() && !this.undone.contains(step.number())).toList());
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
			Step obstructed = this.again ? rewinds(steps).peek() : null;
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
			.filter((step) -> step.number() >= this.first && step.isCall())
			.forEach((step) -> all.add(step.number()));
		this.after = all;
		sum(steps.stream().filter((step) -> step.number() >= this.first).toList());
		if (this.range.kind() == Range.Kind.LAST) {
			// an undoing of some paths has put them back further
			rewinds(steps).stream()
				.filter((step) -> step.number() >= this.first && step.from() <= this.first)
				.forEach((step) -> step.deltas().forEach((delta) -> this.changes.remove(fromRoot(delta.path()))));
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
					this.changes.net(path, delta.before()).add(delta);
				}
			}
		}
	}

}

package io.kairo.workspace.checkpoint;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.host.OwnerOnly;
import org.jspecify.annotations.Nullable;

/**
 * The rewinds of a workspace during which a JVM was killed. For use by one thread, alone
 * in the workspace's record.
 */
final class InterruptedRewinds {

	private static final Logger logger = System.getLogger(InterruptedRewinds.class.getName());

	private final SessionCheckpoints session;

	private final WorkspaceFiles files;

	private final TrackedWorkspace tracked;

	private final Path home;

	private final Permissions permissions = new Permissions();

	InterruptedRewinds(SessionCheckpoints session, WorkspaceFiles files) {
		this.session = session;
		this.files = files;
		this.tracked = session.tracked();
		this.home = this.tracked.home().resolve(PendingRewind.STAGE);
	}

	/**
	 * Completes those that were finished, and forgets the others.
	 * @param logs the steps of all sessions
	 */
	void recover(List<StepLog> logs) throws IOException {
		List<Path> pending = new ArrayList<>();
		for (StepLog each : logs) {
			pending.addAll(each.pending());
		}
		if (pending.isEmpty()) {
			return;
		}
		Path stage = OwnerOnly.createDirectories(this.home.resolve(PendingRewind.STAGE));
		// undoes a batch that was interrupted
		WorkspaceFiles wider = this.files.including(this.home);
		for (Path file : pending) {
			Step step = StepLog.read(file);
			List<Delta> here = here(step);
			Map<WorkspacePath, Node> now = scan(here).found();
			if (!here.isEmpty() && isApplied(here, now)) {
				this.permissions.set(here);
				StepLog.commit(file);
				if (step != null && step.kind() == Step.Kind.COMMIT) {
					new StepLog(file.resolveSibling("")).replace(step.with(present(step.deltas())));
				}
				continue;
			}
			this.permissions.close(here, (path, opened) -> opened.equals(now.get(path)));
			if (step != null && wider != null) {
				putBackTouched(step, stage, Files.getLastModifiedTime(file), wider);
			}
			Files.deleteIfExists(file);
		}
		PendingRewind.removeStage(this.home);
	}

	/**
	 * Puts back what others added to a directory, or wrote to a file, that was in its
	 * place until the batch was undone.
	 * @param since when everything was staged
	 */
	private void putBackTouched(Step step, Path stage, FileTime since, WorkspaceFiles wider) throws IOException {
		List<WorkspacePath> paths = step.deltas().stream().map(Delta::path).sorted().toList();
		for (int i = 0; i < paths.size(); i++) {
			Path copy = stage.resolve(String.valueOf(i));
			if (isTouched(copy, since) && !wider.apply(PendingRewind.move(this.home, copy, paths.get(i))).isOk()) {
				Path kept = OwnerOnly.createDirectories(this.tracked.home().resolve("kept"))
					.resolve(UUID.randomUUID().toString());
				Files.move(copy, kept);
				logger.log(Level.WARNING, "Another program changed " + paths.get(i)
						+ " while it was being undone, and the application was killed; its version is " + kept);
			}
		}
	}

	/**
	 * Returns changes with the states that entries have now: a file that is too large to
	 * be kept is known by its stamp.
	 */
	private List<Delta> present(List<Delta> deltas) {
		Map<WorkspacePath, Node> now = scan(deltas).found();
		return deltas.stream()
			.map((delta) -> new Delta(delta.path(), delta.before(), now.getOrDefault(delta.path(), delta.after())))
			.toList();
	}

	private TreeScan scan(List<Delta> deltas) {
		return new TreeScan(this.files, Map.of(), this.tracked, () -> false)
			.single(deltas.stream().map(Delta::path).toList());
	}

	private static boolean isTouched(Path copy, FileTime since) throws IOException {
		try (Stream<Path> touched = Files.find(copy, Integer.MAX_VALUE,
				(path, attributes) -> attributes.lastModifiedTime().compareTo(since) > 0)) {
			return touched.findAny().isPresent();
		}
		catch (NoSuchFileException ex) {
			return false;
		}
	}

	/**
	 * Returns what a rewind changes in the roots of now: one that was added may be gone.
	 */
	private List<Delta> here(@Nullable Step step) {
		List<Delta> deltas = (step == null || step.kind() == Step.Kind.CALL) ? List.of() : step.deltas();
		return deltas.stream().filter((delta) -> this.session.roots().contains(delta.path().root())).toList();
	}

	private boolean isApplied(List<Delta> deltas, Map<WorkspacePath, Node> now) {
		return deltas.stream().allMatch((delta) -> {
			Node after = delta.after();
			Node found = now.get(delta.path());
			return (found == null || after == null) ? found == null && after == null : found.type() == after.type()
					&& (found.hasContentOf(after) || isTooLargeButSame(delta.path(), found, after));
		});
	}

	/**
	 * Returns whether a file has a content although its own is too large to be kept.
	 */
	private boolean isTooLargeButSame(WorkspacePath path, Node found, Node after) {
		return found.type() == FileType.FILE && found.content() == null && found.size() == after.size()
				&& this.files.info(path) instanceof WorkspaceResult.Ok<FileInfo> info
				&& ("sha256:" + after.content()).equals(info.value().version());
	}

}

package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.FailureDetail;
import io.kairo.workspace.local.disk.handle.LinkedRootException;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.path.Route;

/**
 * Applies changes: resolves their paths, locks the targets, performs the changes, and
 * rolls them back if one fails. Immutable.
 */
final class DiskChanges {

	/**
	 * Maximum number of attempts of a change. If directories are swapped all the time,
	 * about one attempt in four fails.
	 */
	private static final int ATTEMPTS = 12;

	private final Confinement confinement;

	private final WritePolicy writePolicy;

	private final AnyDepthPolicy anyDepth;

	private final Transaction.SharedState state;

	private final Function<WorkspacePath, String> display;

	DiskChanges(Confinement confinement, WritePolicy writePolicy, Transaction.SharedState state,
			Function<WorkspacePath, String> display) {
		this.confinement = confinement;
		this.writePolicy = writePolicy;
		this.anyDepth = new AnyDepthPolicy(writePolicy, confinement.roots());
		this.state = state;
		this.display = display;
	}

	WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		List<WorkspacePath> paths = change.paths();
		paths.forEach(this.confinement.roots()::route);
		if (this.writePolicy.readOnly()) {
			return WorkspaceResult.failure(WorkspaceErrorCode.READ_ONLY,
					"Nothing was changed: the workspace may only be read");
		}
		Set<Path> found = new HashSet<>();
		IOException failure = new RacedException();
		Attempt attempt = new Attempt(change);
		for (int count = 0; count < ATTEMPTS; count++) {
			try {
				return WorkspaceResult.ok(attempt.run(found));
			}
			catch (UnlockedException ex) {
				found.add(ex.path());
				failure = new RacedException();
			}
			catch (RefusedException ex) {
				WorkspacePath subject = ex.subject();
				return ex.toFailure(this.display.apply((subject != null) ? subject : attempt.subject()));
			}
			catch (IOException ex) {
				failure = ex;
				if (!mayHaveRaced(ex)) {
					break;
				}
			}
		}
		return RefusedException.notWritten(failure).toFailure(this.display.apply(attempt.subject()));
	}

	private static boolean mayHaveRaced(IOException failure) {
		return failure instanceof RacedException
				|| (failure instanceof FileSystemException && !(failure instanceof AccessDeniedException)
						&& !(failure instanceof AtomicMoveNotSupportedException) && !FailureDetail.isBusy(failure));
	}

	/**
	 * A change that may need several attempts.
	 */
	private final class Attempt {

		private final WorkspaceChange change;

		private WorkspacePath subject;

		Attempt(WorkspaceChange change) {
			this.change = change;
			this.subject = change.paths().isEmpty() ? DiskChanges.this.confinement.roots().primary()
					: change.paths().get(0);
		}

		/**
		 * Returns the path that the last attempt ended at.
		 */
		WorkspacePath subject() {
			return this.subject;
		}

		ChangeReport run(Set<Path> found) throws IOException, RefusedException {
			PhysicalPolicy policy = new PhysicalPolicy(DiskChanges.this.writePolicy, DiskChanges.this.anyDepth,
					DiskChanges.this.confinement);
			Set<Path> paths = new HashSet<>(found);
			for (WorkspaceChange leaf : this.change.leaves()) {
				locate(leaf, policy, paths);
			}
			Transaction.SharedState state = DiskChanges.this.state;
			try (PathLocks.Hold hold = state.locks().acquire(paths); Transaction transaction = new Transaction(state)) {
				ChangeScope scope = new ChangeScope(DiskChanges.this.confinement, policy, transaction, paths,
						!(this.change instanceof WorkspaceChange.Batch));
				List<ChangeReport.Line> lines = new ArrayList<>();
				for (WorkspaceChange leaf : this.change.leaves()) {
					this.subject = leaf.paths().get(0);
					lines.add(perform(leaf, scope));
				}
				transaction.commit();
				return new ChangeReport(lines);
			}
		}

		private void locate(WorkspaceChange leaf, PhysicalPolicy policy, Set<Path> paths)
				throws IOException, RefusedException {
			for (int i = 0; i < leaf.paths().size(); i++) {
				WorkspacePath path = leaf.paths().get(i);
				this.subject = path;
				Route route = DiskChanges.this.confinement.roots().route(path);
				boolean last = (i == leaf.paths().size() - 1);
				if (last && !(leaf instanceof WorkspaceChange.Delete
						|| leaf instanceof WorkspaceChange.CompareExchange)) {
					createRoot(route, policy);
				}
				boolean entry = leaf instanceof WorkspaceChange.Delete
						|| (leaf instanceof WorkspaceChange.Move && !last);
				try (DescentResult target = Descent.to(DiskChanges.this.confinement, route,
						entry ? Descent.Goal.ENTRY : Descent.Goal.TARGET)) {
					paths.add(target.physical());
					paths.addAll(DiskChanges.this.anyDepth.repositoryLocks(target));
				}
				catch (RefusedException ex) {
					if (!(this.change instanceof WorkspaceChange.Batch)) {
						throw ex;
					}
					// Earlier changes of the batch may make it valid; else it is refused
					// later.
				}
			}
		}

		/**
		 * Creates a missing root. No change of a workspace can do this.
		 */
		private void createRoot(Route route, PhysicalPolicy policy) throws IOException, RefusedException {
			if (Files.notExists(route.directory(), LinkOption.NOFOLLOW_LINKS)) {
				policy.requireCreatable(route.toPath());
				create(route.directory());
			}
		}

		private void create(Path directory) throws IOException, RefusedException {
			try {
				DiskChanges.this.confinement.opener().create(directory);
			}
			catch (LinkedRootException ex) {
				throw RefusedException.linkedRoot();
			}
			catch (NotDirectoryException ex) {
				throw RefusedException.notADirectory();
			}
		}

		private ChangeReport.Line perform(WorkspaceChange leaf, ChangeScope scope)
				throws IOException, RefusedException {
			if (leaf instanceof WorkspaceChange.Write write) {
				return new FileChange(scope).write(write);
			}
			if (leaf instanceof WorkspaceChange.CompareExchange exchange) {
				return new FileChange(scope).compareExchange(exchange);
			}
			if (leaf instanceof WorkspaceChange.CreateDirectory create) {
				return new FileChange(scope).createDirectory(create);
			}
			if (leaf instanceof WorkspaceChange.Delete delete) {
				return new FileChange(scope).delete(delete);
			}
			if (leaf instanceof WorkspaceChange.Move move) {
				return new Relocation(scope).move(move);
			}
			return new Relocation(scope).copy((WorkspaceChange.Copy) leaf);
		}

	}

}

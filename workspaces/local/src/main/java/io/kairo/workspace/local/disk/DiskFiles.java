package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;

import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileListing;
import io.kairo.api.workspace.WalkReport;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.api.workspace.WorkspaceVisitor;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PortableName;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.disk.handle.DirectFiles;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;
import io.kairo.workspace.local.disk.handle.StuckOpenException;
import io.kairo.workspace.local.path.PathGate;
import io.kairo.workspace.local.path.Route;
import org.jspecify.annotations.Nullable;

/**
 * The files of a workspace in directories of this machine. Immutable.
 */
final class DiskFiles implements WorkspaceFiles {

	/**
	 * Maximum number of attempts of an operation. If directories are swapped all the
	 * time, about one attempt in four fails.
	 */
	private static final int ATTEMPTS = 8;

	private final PathGate gate;

	private final Confinement confinement;

	private final WritePolicy writePolicy;

	private final DiskChanges changes;

	/** The further root, unknown to the gate; null if there is none. */
	private final @Nullable Path further;

	/** Opens the same files with other directories, null if they can only be read. */
	private final @Nullable Variants variants;

	DiskFiles(PathGate gate, Confinement confinement, WritePolicy writePolicy, Transaction.SharedState state,
			@Nullable Path further, @Nullable Variants variants) {
		this.gate = gate;
		this.confinement = confinement;
		this.writePolicy = writePolicy;
		this.further = further;
		this.changes = new DiskChanges(confinement, writePolicy, state, this::display);
		this.variants = variants;
	}

	@Override
	public WorkspacePath root() {
		return this.confinement.roots().primary();
	}

	@Override
	public WorkspacePath resolve(String argument, WorkspacePath cwd) {
		return this.gate.resolve(argument, cwd);
	}

	@Override
	public String display(WorkspacePath path) {
		return path.root().equals(this.further) ? path.relative() : this.gate.display(path);
	}

	@Override
	public String display(WorkspacePath path, WorkspacePath cwd) {
		return this.gate.display(path, cwd);
	}

	@Override
	public @Nullable WorkspacePath locate(Path hostPath) {
		return this.confinement.roots().locateInRoots(hostPath.normalize());
	}

	/**
	 * Returns the folded path if this store ignores case, and otherwise the spelling on
	 * disk, for a host that does.
	 */
	@Override
	public WorkspacePath identity(WorkspacePath path) {
		this.gate.require(path);
		if (this.confinement.matching() == NameMatching.CASE_INSENSITIVE) {
			return new WorkspacePath(path.root(), PortableName.fold(path.relative()));
		}
		try {
			return spelled(path,
					this.confinement.opener().call(() -> RealPaths.of(this.confinement.roots().route(path).toPath())));
		}
		catch (IOException ex) {
			return path;
		}
	}

	@Override
	public WorkspacePath followed(WorkspacePath path, boolean entry) {
		Route route = this.confinement.roots().route(path);
		try {
			return this.confinement.opener().call(() -> {
				try (DescentResult target = Descent.to(this.confinement, route,
						entry ? Descent.Goal.ENTRY : Descent.Goal.TARGET)) {
					WorkspacePath found = this.confinement.roots().locateInRoots(target.physical());
					return (found != null) ? found : path;
				}
				catch (RefusedException ex) {
					return path;
				}
			});
		}
		catch (IOException ex) {
			return path;
		}
	}

	@Override
	public WorkspaceResult<FileContent> read(WorkspacePath path, long offset, int length) {
		if (offset < 0 || length < 0) {
			throw new IllegalArgumentException(
					"Offset " + offset + " or length " + length + " is negative: give 0 or more");
		}
		return atFile(path, (entry) -> ContentReader.read(path, entry, offset, length));
	}

	@Override
	public WorkspaceResult<FileInfo> info(WorkspacePath path) {
		return atFile(path, (entry) -> {
			String version = entry.attributes().isRegularFile() ? ContentReader.version(path, entry) : null;
			return EntryFacts.of(path, entry.attributes(), version);
		});
	}

	@Override
	public WorkspaceResult<FileListing> list(WorkspacePath directory, int depth) {
		if (depth < 1) {
			throw new IllegalArgumentException("The depth " + depth + " is too small: give at least 1");
		}
		WorkspaceResult<FileListing> listing = at(directory, (entry) -> {
			try (OpenDirectory opened = entry.openDirectory()) {
				return new DirectoryLister(new EntryNames(this.gate), this.confinement.hidden(), depth)
					.list(spelled(directory, opened), opened);
			}
		});
		return isMissingRoot(directory, listing) ? WorkspaceResult.ok(new FileListing(directory, List.of(), 0))
				: listing;
	}

	@Override
	public WorkspaceResult<WalkReport> walk(WorkspacePath directory, WorkspaceVisitor visitor) {
		TreeWalk walk = new TreeWalk(new EntryNames(this.gate), this.confinement.hidden(), visitor,
				this.confinement.opener());
		WorkspaceResult<OpenDirectory> opening = at(directory, ExistingEntry::openDirectory);
		if (opening instanceof WorkspaceResult.Failure<OpenDirectory> failure) {
			return isMissingRoot(directory, failure) ? WorkspaceResult.ok(walk.report()) : failure.cast();
		}
		try (OpenDirectory opened = opening.value()) {
			return WorkspaceResult.ok(walk.walk(spelled(directory, opened), opened));
		}
		catch (IOException ex) {
			return RefusedException.failed(ex).toFailure(display(directory));
		}
	}

	@Override
	public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
		return this.changes.apply(change);
	}

	@Override
	public WritePolicy writePolicy() {
		return this.writePolicy;
	}

	@Override
	public WorkspaceFiles including(Path directory) {
		if (this.further != null || this.variants == null) {
			throw new IllegalArgumentException(
					"The files include a directory already, or can only be read: start from those of the workspace");
		}
		return this.variants.including(directory, this.gate, this.confinement);
	}

	@Override
	public @Nullable WorkspaceFiles relocated(Map<Path, Path> directories) {
		return (this.variants != null) ? this.variants.relocated(directories) : null;
	}

	@Override
	public Path location(Path root) {
		return (this.variants != null) ? this.variants.location(root) : root;
	}

	private WorkspacePath spelled(WorkspacePath asked, OpenDirectory opened) {
		return (this.confinement.matching() == NameMatching.FILE_SYSTEM) ? asked : spelled(asked, opened.path());
	}

	/**
	 * Returns a path in its spelling on disk if that differs from the requested one only
	 * in case or composition.
	 */
	private WorkspacePath spelled(WorkspacePath asked, Path onDisk) {
		WorkspacePath found = this.confinement.roots().locateInRoots(onDisk);
		return (found != null && found.root().equals(asked.root())
				&& PortableName.fold(found.relative()).equals(PortableName.fold(asked.relative()))) ? found : asked;
	}

	private static boolean isMissingRoot(WorkspacePath directory, WorkspaceResult<?> result) {
		return directory.isRoot() && result instanceof WorkspaceResult.Failure<?> failure
				&& failure.code() == WorkspaceErrorCode.FILE_NOT_FOUND;
	}

	/**
	 * Performs an operation on an entry that is likely a file.
	 */
	private <T> WorkspaceResult<T> atFile(WorkspacePath path, Operation<T> operation) {
		Route route = this.confinement.roots().route(path);
		try (ExistingEntry entry = openDirectly(route)) {
			if (entry != null) {
				return WorkspaceResult.ok(operation.run(entry));
			}
		}
		catch (IOException | RefusedException ex) {
			// A descent finds out why.
		}
		return at(path, operation);
	}

	/**
	 * Opens a regular file without a descent, if the platform can and nothing on the way
	 * is a link or hidden.
	 * @return the open file, to be closed by the caller; null if only a descent can find
	 * the entry
	 * @throws IOException likewise
	 */
	private @Nullable ExistingEntry openDirectly(Route route) throws IOException {
		DirectFiles files = this.confinement.opener().direct();
		if (files == null || route.names().isEmpty() || this.confinement.matching() == NameMatching.CASE_INSENSITIVE) {
			return null;
		}
		boolean mayBeHidden = this.confinement.hidden().isIn(this.confinement.roots().realPaths());
		Path path = route.directory();
		for (Path name : route.names()) {
			path = path.resolve(name);
			if (name.toString().equals("..") || TemporaryNames.is(name)
					|| (mayBeHidden && this.confinement.hidden().is(path, files.attributes(path)))) {
				return null;
			}
		}
		BasicFileAttributes attributes = files.attributes(path);
		return attributes.isRegularFile() ? new ExistingEntry(files.open(path), attributes) : null;
	}

	/**
	 * Performs an operation on a thread that may be lost if an open does not return.
	 */
	private <T> WorkspaceResult<T> at(WorkspacePath path, Operation<T> operation) {
		Route route = this.confinement.roots().route(path);
		try {
			return this.confinement.opener().call(() -> attempt(path, route, operation));
		}
		catch (IOException ex) {
			return RefusedException.failed(ex).toFailure(display(path));
		}
	}

	private <T> WorkspaceResult<T> attempt(WorkspacePath path, Route route, Operation<T> operation) {
		IOException failure = new RacedException();
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try (ExistingEntry entry = Descent.to(this.confinement, route)) {
				return WorkspaceResult.ok(operation.run(entry));
			}
			catch (RefusedException ex) {
				return ex.toFailure(display(path));
			}
			catch (AccessDeniedException | StuckOpenException ex) {
				return RefusedException.failed(ex).toFailure(display(path));
			}
			catch (IOException ex) {
				failure = ex;
			}
		}
		return RefusedException.failed(failure).toFailure(display(path));
	}

	/**
	 * An operation on an entry. It may be repeated.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	private interface Operation<T> {

		T run(ExistingEntry entry) throws IOException, RefusedException;

	}

	/**
	 * Opens the same files with other directories.
	 */
	interface Variants {

		WorkspaceFiles including(Path directory, PathGate gate, Confinement confinement);

		WorkspaceFiles relocated(Map<Path, Path> directories);

		Path location(Path root);

	}

}

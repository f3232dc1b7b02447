package io.kairo.workspace.disk;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.disk.handle.DirectoryBelow;
import io.kairo.workspace.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.ProcessIdentity;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.path.PathGate;
import io.kairo.workspace.path.RootSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of workspaces that are directories of this machine. Whatever is read is
 * reached from a root by opening one directory in the other, so that no link leads out of
 * the roots, not even one that is swapped in meanwhile.
 * <p>
 * Every directory on the way must be readable, not only searchable. Where the platform
 * has no {@link java.nio.file.SecureDirectoryStream} (Linux and macOS have it), real
 * paths are compared before and after opening instead, which a swap there and back can
 * deceive.
 * <p>
 * Whatever is written is reached in the same way. A file is written under a temporary
 * name beside its place, made durable and renamed, so that at any time there are the old
 * or the new bytes; it keeps owner and permissions as far as that is allowed, but neither
 * setuid nor other hard links. Changes of the same path wait for each other, in this
 * factory and, with a state directory, in every process that has the same one. Programs
 * that write by themselves do not wait: what they do is looked for just before a file is
 * replaced, and no closer.
 * <p>
 * With a state directory, what a crash left is cleaned up when the next factory on it
 * opens a workspace: an interrupted change, batches included, has then happened as a
 * whole or not at all. Without one only failures are cleaned up after, not crashes. The
 * state directory must be on a disk of this machine, as it is locked.
 * <p>
 * The directories above a root are trusted, and so is the path of a root when its
 * workspace is opened for the first time. Afterwards a symbolic link in the place of a
 * root is refused, wherever it leads. Names that begin with {@code .kairo-} and go on
 * with 32 hexadecimal digits belong to the store and are not there for a workspace.
 *
 * @since 0.1.0
 */
public final class LocalWorkspaceFilesFactory implements WorkspaceFilesFactory {

	private final LocalFilesOptions options;

	private final DirectoryOpener opener;

	private final Transaction.SharedState state;

	private final @Nullable JournalSweep sweep;

	/**
	 * The real paths of the roots of the workspaces in use. They are found once for a
	 * workspace, so that a link that a command puts in the place of a root is not taken
	 * for a configured one when the workspace is opened again.
	 */
	private final Map<Workspace, Map<Path, Path>> realRoots = new WeakHashMap<>();

	/**
	 * Creates a factory.
	 * @param options what applies to every workspace
	 */
	public LocalWorkspaceFilesFactory(LocalFilesOptions options) {
		this(options, DirectoryOpener.platform());
	}

	LocalWorkspaceFilesFactory(LocalFilesOptions options, DirectoryOpener opener) {
		this(options, opener, ProcessIdentity.current(), FaultPoints.UNHINDERED);
	}

	LocalWorkspaceFilesFactory(LocalFilesOptions options, DirectoryOpener opener, ProcessIdentity process,
			FaultPoints faultPoints) {
		this.options = options;
		this.opener = opener;
		Path directory = options.stateDirectory();
		StateDirectory own = (directory != null) ? new StateDirectory(directory.toAbsolutePath().normalize()) : null;
		WriteJournal journal = new WriteJournal(own, process);
		this.state = new Transaction.SharedState(journal, new PathLocks(own), new TemporaryNames(), faultPoints,
				new PendingDeletions(journal));
		this.sweep = (own != null) ? new JournalSweep(own, process, opener) : null;
	}

	Transaction.SharedState state() {
		return this.state;
	}

	@Override
	public WorkspaceFiles open(Workspace workspace) {
		return open(workspace, this.options.pathPolicy(), (root) -> realRoot(workspace, root), this.opener);
	}

	private Path realRoot(Workspace workspace, Path root) {
		synchronized (this.realRoots) {
			return this.realRoots.computeIfAbsent(workspace, (missing) -> new HashMap<>())
				.computeIfAbsent(root, RealPaths::of);
		}
	}

	/**
	 * Returns a factory for workspaces whose roots need not exist: reading finds nothing
	 * there, and the first change makes the root. They lie below a directory that is
	 * trusted, and no link on the way from there is followed, whoever made it and when.
	 * State and locks are those of this factory.
	 * @param trusted a directory; what leads to it may be links
	 * @param policy which spellings of a path are accepted
	 * @return a factory that refuses workspaces with a root elsewhere
	 */
	public WorkspaceFilesFactory below(Path trusted, PathPolicy policy) {
		return below(trusted, policy, 0);
	}

	/**
	 * Returns a factory as {@link #below(Path, PathPolicy)} does, for workspaces below
	 * the directories of tenants. Those are made too, with mode 0700.
	 * @param trusted where the directories of the tenants are; what leads to its base may
	 * be links
	 * @param policy which spellings of a path are accepted
	 * @return a factory that refuses workspaces with a root elsewhere
	 */
	public WorkspaceFilesFactory below(RootTemplate trusted, PathPolicy policy) {
		return below(trusted.base(), policy, trusted.ownLevels());
	}

	private WorkspaceFilesFactory below(Path trusted, PathPolicy policy, int ownLevels) {
		Path above = trusted.toAbsolutePath().normalize();
		return (workspace) -> {
			if (!workspace.roots().stream().allMatch((root) -> root.normalize().startsWith(above))) {
				throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
						"The workspace " + WorkspacePath.quote(workspace.id())
								+ " is not where those of its provider are: use the files of its own provider",
						null);
			}
			Path real = RealPaths.of(above);
			return open(workspace, policy, (root) -> real.resolve(above.relativize(root)),
					new DirectoryBelow(real, this.opener, ownLevels));
		};
	}

	private WorkspaceFiles open(Workspace workspace, PathPolicy policy, UnaryOperator<Path> realPaths,
			DirectoryOpener opener) {
		if (!workspace.onDisk()) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The workspace "
					+ WorkspacePath.quote(workspace.id()) + " is not on this disk: use the files of its own provider",
					null);
		}
		if (this.sweep != null) {
			this.sweep.run();
		}
		this.state.pendingDeletions().retry(opener);
		HiddenDirectory hidden = HiddenDirectory.of(this.options.stateDirectory());
		RootSet roots = RootSet.of(workspace.roots(), policy, hidden::isBetween, realPaths);
		if (roots.all().stream().anyMatch((root) -> hidden.is(root.real()))) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
					"A root of the workspace " + WorkspacePath.quote(workspace.id())
							+ " is the state directory itself: put the state somewhere else",
					null);
		}
		Confinement confinement = new Confinement(roots, hidden, opener, this.options.nameMatching());
		return new DiskFiles(PathGate.of(policy, roots), confinement, writePolicy(workspace), this.state);
	}

	private WritePolicy writePolicy(Workspace workspace) {
		WritePolicy policy = this.options.writePolicy();
		return workspace.writable() ? policy : new WritePolicy(true, policy.protectedPaths(), policy.allowedPrefixes());
	}

}

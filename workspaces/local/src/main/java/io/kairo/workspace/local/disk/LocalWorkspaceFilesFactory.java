package io.kairo.workspace.local.disk;

import java.io.File;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.function.UnaryOperator;

import io.kairo.host.ProcessIdentity;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WritePolicy;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.NameMatching;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.RealPaths;
import io.kairo.workspace.local.RootTemplate;
import io.kairo.workspace.local.disk.handle.DirectFiles;
import io.kairo.workspace.local.disk.handle.DirectoryBelow;
import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.path.PathGate;
import io.kairo.workspace.local.path.PathSyntax;
import io.kairo.workspace.local.path.RootSet;
import org.jspecify.annotations.Nullable;

/**
 * Opens the files of workspaces in directories of this machine. Every file is reached
 * from a root by opening one directory in the other, so that no link can lead out of the
 * roots, not even one that is swapped in meanwhile.
 * <p>
 * Every directory on the way must be readable, not only searchable. With direct system
 * calls, a file without links on its path is opened for reading by one of them, and
 * directories need not be readable. Where the platform has no
 * {@link java.nio.file.SecureDirectoryStream} (Linux and macOS have it), real paths are
 * compared before and after opening instead. This misses a directory that is swapped and
 * swapped back in between.
 * <p>
 * Files to be written are reached in the same way. A file is written under a temporary
 * name in its directory, made durable and renamed, so that at any time it has either the
 * old or the new content. It keeps owner and permissions as far as that is allowed, but
 * neither setuid nor other hard links. Changes of the same path wait for each other, in
 * this factory and, with a state directory, in every process with the same state
 * directory. Other programs do not wait; their changes are detected up to the moment just
 * before a file is replaced.
 * <p>
 * With a state directory, the remains of a crash are cleaned up when the next factory
 * with that directory opens a workspace that contains them: an interrupted change, or
 * batch, is then applied as a whole or not at all. Without a state directory, failures
 * are cleaned up but crashes are not. The state directory must be on a local disk, as it
 * is locked, belong to the user of this process and be writable by no other user;
 * otherwise changes fail, and nothing is cleaned up.
 * <p>
 * The directories above a root are trusted, and so is the path of a root when its
 * workspace is opened for the first time. Afterwards a symbolic link in the place of a
 * root is refused, regardless of its target. Names that consist of {@code .kairo-} and 32
 * hexadecimal digits belong to the store and are hidden from a workspace. So are names
 * that the charset of the locale cannot encode: Java needs a locale with UTF-8, such as
 * {@code LC_ALL=C.UTF-8}, to open all names.
 */
public final class LocalWorkspaceFilesFactory implements WorkspaceFilesFactory {

	private static final System.Logger logger = System.getLogger(LocalWorkspaceFilesFactory.class.getName());

	static {
		if (File.separatorChar == '/' && !PathSyntax.charset().equals(StandardCharsets.UTF_8)) {
			logger.log(Level.WARNING,
					"Files whose names cannot be encoded in {0} are hidden and cannot be created: start the application "
							+ "with LC_ALL=C.UTF-8",
					PathSyntax.charset());
		}
	}

	private static final WritePolicy READ_ONLY = new WritePolicy(true, List.of(), List.of());

	private final LocalFilesOptions options;

	private final DirectoryOpener opener;

	private final Transaction.SharedState state;

	private final @Nullable JournalSweep sweep;

	/**
	 * The real paths of the roots of the workspaces in use. They are determined once per
	 * workspace, so that a link put by a command in place of a root is not taken for a
	 * configured one when the workspace is opened again.
	 */
	private final Map<Workspace, Map<Path, Path>> realRoots = new WeakHashMap<>();

	/**
	 * Creates a factory.
	 * @param options the options for every workspace
	 */
	public LocalWorkspaceFilesFactory(LocalFilesOptions options) {
		this(options, DirectoryOpener.platform(options.owner(), options.nativeCalls()));
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

	/**
	 * Returns the problem that prevents this JVM from opening files by direct system
	 * calls. The first call loads the prerequisites of such calls.
	 * @return the problem, or null if files are opened directly
	 */
	public static @Nullable String directOpensProblem() {
		return DirectFiles.problem();
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
	 * Opens a directory of this machine for reading, under another name.
	 * @param name the absolute path that its paths and links begin with; the directory of
	 * this name is not accessed
	 * @param directory the absolute path that opens the directory. It is trusted but for
	 * its last name, which must not be a link, and never converted to its real path, so
	 * that it may lead through {@code /proc/<pid>/root}
	 * @return the files, confined to the directory; changes are refused as
	 * {@code read_only}
	 */
	public WorkspaceFiles openAs(Path name, Path directory) {
		RootSet roots = RootSet.of(List.of(name), Map.of(), PathPolicy.ROOTS, (outer, inner) -> false,
				(root) -> directory);
		Confinement confinement = new Confinement(roots, HiddenDirectory.NONE, this.opener.of(directory),
				NameMatching.FILE_SYSTEM);
		return new DiskFiles(PathGate.of(PathPolicy.ROOTS, roots), confinement, READ_ONLY, this.state, null, null);
	}

	/**
	 * Returns a factory for workspaces whose roots need not exist: a missing root is
	 * empty, and the first change creates it. The roots are below a trusted directory,
	 * and no link on the way from there is followed, regardless of its age. The factory
	 * shares the state and locks of this one.
	 * @param trusted the trusted directory; its own path may contain links
	 * @param policy the accepted spellings of paths
	 * @return a factory that refuses workspaces with other roots
	 */
	public WorkspaceFilesFactory below(Path trusted, PathPolicy policy) {
		return below(trusted, policy, 0);
	}

	/**
	 * Returns a factory as {@link #below(Path, PathPolicy)} does, for workspaces below
	 * the directories of tenants. These directories are created with mode 0700.
	 * @param trusted the template of the tenants' directories; the path of its base may
	 * contain links
	 * @param policy the accepted spellings of paths
	 * @return a factory that refuses workspaces with other roots
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
					new DirectoryBelow(real, this.opener, ownLevels, this.options.owner()));
		};
	}

	private WorkspaceFiles open(Workspace workspace, PathPolicy policy, UnaryOperator<Path> realPaths,
			DirectoryOpener opener) {
		if (!workspace.onDisk()) {
			throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED, "The workspace "
					+ WorkspacePath.quote(workspace.id()) + " is not on this disk: use the files of its own provider",
					null);
		}
		return new Opening(workspace, policy, realPaths, opener, Map.of()).open();
	}

	/**
	 * Returns the policy of files with a further root, whose content is in a directory of
	 * the same name as that root, so that it can be allowed without allowing anything in
	 * the workspace.
	 */
	private static WritePolicy including(Path further, WritePolicy policy) {
		if (policy.allowedPrefixes().isEmpty()) {
			return policy;
		}
		List<String> allowed = new ArrayList<>(policy.allowedPrefixes());
		allowed.add(String.valueOf(further.getFileName()));
		return new WritePolicy(policy.readOnly(), policy.protectedPaths(), allowed);
	}

	private WritePolicy writePolicy(Workspace workspace) {
		WritePolicy policy = this.options.writePolicy();
		return workspace.writable() ? policy : new WritePolicy(true, policy.protectedPaths(), policy.allowedPrefixes());
	}

	/**
	 * The way in which the files of a workspace are opened.
	 */
	private final class Opening implements DiskFiles.Variants {

		private final Workspace workspace;

		private final PathPolicy policy;

		private final UnaryOperator<Path> realPaths;

		private final DirectoryOpener opener;

		/** The directories in the place of the roots, none for the roots. */
		private final Map<Path, Path> directories;

		private final HiddenDirectory hidden = HiddenDirectory
			.of(LocalWorkspaceFilesFactory.this.options.stateDirectory());

		Opening(Workspace workspace, PathPolicy policy, UnaryOperator<Path> realPaths, DirectoryOpener opener,
				Map<Path, Path> directories) {
			this.workspace = workspace;
			this.policy = policy;
			this.realPaths = realPaths;
			this.opener = opener;
			this.directories = Map.copyOf(directories);
		}

		DiskFiles open() {
			RootSet roots = roots(roots(), this.policy, this::realPath);
			if (roots.all().stream().anyMatch((root) -> this.hidden.is(root.real()))) {
				throw new WorkspaceException(WorkspaceErrorCode.READ_FAILED,
						"A root of the workspace " + WorkspacePath.quote(this.workspace.id())
								+ " is the state directory itself: put the state somewhere else",
						null);
			}
			LocalWorkspaceFilesFactory.this.state.pendingDeletions().retry(this.opener);
			DirectoryOpener base = this.directories.isEmpty() ? this.opener : LocalWorkspaceFilesFactory.this.opener;
			Confinement confinement = new Confinement(roots, this.hidden, base.of(roots.realPaths().get(0)),
					LocalWorkspaceFilesFactory.this.options.nameMatching());
			PathGate gate = PathGate.of(this.policy, roots);
			return new DiskFiles(gate, confinement, writePolicy(this.workspace), LocalWorkspaceFilesFactory.this.state,
					null, this);
		}

		/**
		 * Returns the roots; once they are elsewhere, without those that are added.
		 */
		private List<Path> roots() {
			return this.directories.isEmpty() ? this.workspace.roots()
					: this.workspace.roots().stream().filter(this.directories::containsKey).toList();
		}

		private RootSet roots(List<Path> directories, PathPolicy policy, UnaryOperator<Path> realPaths) {
			RootSet roots = RootSet.of(directories, this.workspace.rootAliases(), policy, this.hidden::isBetween,
					realPaths);
			if (LocalWorkspaceFilesFactory.this.sweep != null) {
				LocalWorkspaceFilesFactory.this.sweep.run(roots.realPaths());
			}
			return roots;
		}

		private Path realPath(Path root) {
			Path directory = this.directories.get(root);
			return (directory != null) ? directory : this.realPaths.apply(root);
		}

		/**
		 * Opens files with a directory of the application as a further root.
		 */
		@Override
		public WorkspaceFiles including(Path directory, PathGate gate, Confinement confinement) {
			Path further = directory.toAbsolutePath().normalize();
			Path real = RealPaths.of(further);
			boolean hides = this.policy.hidesHost();
			List<Path> all = new ArrayList<>(hides ? roots().subList(0, 1) : roots());
			all.add(further);
			RootSet roots = roots(all, hides ? PathPolicy.ROOTS : this.policy,
					(root) -> root.equals(further) ? real : realPath(root));
			Confinement wider = new Confinement(roots, this.hidden,
					new FurtherDirectory(real, LocalWorkspaceFilesFactory.this.opener, confinement.opener()),
					confinement.matching());
			return new DiskFiles(gate, wider,
					LocalWorkspaceFilesFactory.including(further, writePolicy(this.workspace)),
					LocalWorkspaceFilesFactory.this.state, further, this);
		}

		@Override
		public WorkspaceFiles relocated(Map<Path, Path> elsewhere) {
			return new Opening(this.workspace, this.policy, this.realPaths, this.opener, elsewhere).open();
		}

		@Override
		public Path location(Path root) {
			return this.directories.getOrDefault(this.workspace.rootAliases().getOrDefault(root, root), root);
		}

	}

}

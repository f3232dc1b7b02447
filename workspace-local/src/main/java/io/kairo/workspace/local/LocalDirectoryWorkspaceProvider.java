package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.api.workspace.WorkspaceRequest;
import org.jspecify.annotations.Nullable;

/**
 * Provides workspaces in existing directories of this machine. A hint is a path, absolute
 * or relative to the base directory, with an optional prefix {@code local:}; without a
 * hint, the workspace is the base directory. Only directories of tenants are created, and
 * nothing is removed on release.
 * <p>
 * The same tenant gets the same instance for the same real directory until it is
 * released. The id is {@code local:} and the root, with {@code #} and the tenant appended
 * when that is not the default one, and {@code #ro} when the workspace may only be read.
 * If the root is a link whose target has changed while another workspace with that root
 * is not released, the root is the real path. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class LocalDirectoryWorkspaceProvider implements WorkspaceProvider {

	private static final String SCHEME = "local";

	private final BaseDirectories directories;

	private final boolean writable;

	private final WorkspaceRoots added;

	private final ConcurrentMap<Key, Workspace> workspaces = new ConcurrentHashMap<>();

	/**
	 * Creates a provider of workspaces with a single root.
	 * @param baseDirectory the directory against which relative hints are resolved;
	 * accessed when a workspace is acquired
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory) {
		this(baseDirectory, List.of());
	}

	/**
	 * Creates a provider of workspaces with more roots.
	 * @param baseDirectory the directory against which relative hints are resolved;
	 * accessed when a workspace is acquired
	 * @param addedDirectories further roots of every workspace, after its own; they
	 * become roots by their real paths
	 * @throws WorkspacePathException if one of the added directories is missing or is not
	 * a readable directory
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory, List<Path> addedDirectories) {
		this(fixed(baseDirectory.toAbsolutePath().normalize(),
				addedDirectories.stream()
					.map((directory) -> UsableDirectory.real(directory.toAbsolutePath().normalize()))
					.distinct()
					.toList()),
				true, new WorkspaceRoots(List.of(), null, LocalFilesOptions.DEFAULTS));
	}

	/**
	 * Creates a provider that keeps tenants apart. If the first root has the segment
	 * {@code {tenant}}, each tenant has a directory of its own, created with mode 0700
	 * when it is first acquired, and hints cannot leave it. Without the segment, only the
	 * default tenant is accepted. Further roots without the segment are shared by all
	 * tenants.
	 * @param roots the roots of every workspace, the primary one first; accessed when a
	 * workspace is acquired
	 * @param defaultTenant the tenant that may use a root without the segment
	 * @throws WorkspacePathException if two of the roots overlap so that tenants would
	 * share directories
	 */
	public LocalDirectoryWorkspaceProvider(List<RootTemplate> roots, String defaultTenant) {
		this(roots, defaultTenant, LocalFilesOptions.DEFAULTS);
	}

	/**
	 * Creates a provider that keeps tenants apart, for files opened with the given
	 * options.
	 * @param roots the roots of every workspace, the primary one first; accessed when a
	 * workspace is acquired
	 * @param defaultTenant the tenant that may use a root without the segment
	 * @param files the options, which decide which directories can be added at run time
	 * @throws WorkspacePathException if two of the roots overlap so that tenants would
	 * share directories
	 */
	public LocalDirectoryWorkspaceProvider(List<RootTemplate> roots, String defaultTenant, LocalFilesOptions files) {
		this(new TenantBaseDirectories(roots.stream().map((root) -> root.ownedBy(files.owner())).toList(),
				defaultTenant), true,
				new WorkspaceRoots(List.copyOf(roots), roots.get(0).perTenant() ? null : defaultTenant, files));
	}

	private LocalDirectoryWorkspaceProvider(BaseDirectories directories, boolean writable, WorkspaceRoots added) {
		this.added = added;
		this.directories = directories;
		this.writable = writable;
	}

	private static BaseDirectories fixed(Path base, List<Path> added) {
		BaseDirectories.Bases bases = new BaseDirectories.Bases(base, added, BaseDirectories.Reach.ANYWHERE);
		return (tenant) -> bases;
	}

	/**
	 * Returns a provider over the same directories whose workspaces are read-only,
	 * whatever is requested.
	 * @return another provider
	 */
	public LocalDirectoryWorkspaceProvider readOnly() {
		return new LocalDirectoryWorkspaceProvider(this.directories, false, this.added);
	}

	/**
	 * Returns the list to which directories can be added while workspaces are in use.
	 * @return the additional roots, always the same instance
	 */
	public WorkspaceRoots added() {
		return this.added;
	}

	@Override
	public Workspace acquire(WorkspaceRequest request) {
		BaseDirectories.Bases bases = this.directories.of(request.tenant().tenantId());
		String hint = Objects.requireNonNullElse(request.hint(), "");
		Path root = root(bases.base(), hint);
		if (bases.reach() == BaseDirectories.Reach.BELOW_BASE) {
			UsableDirectory.requireBelow(bases.base(), root, hint);
		}
		Path real = UsableDirectory.real(root, this.added.hidesHost() ? hint : root.toString());
		Key key = new Key(request.tenant().tenantId(), real, this.writable && request.writable());
		Workspace known = this.workspaces.get(key);
		return (known != null) ? known : add(key, root, bases.added());
	}

	private synchronized Workspace add(Key key, Path root, List<Path> addedDirectories) {
		return this.workspaces.computeIfAbsent(key, (missing) -> {
			// A link with a new target is still the root of another workspace.
			Path own = isTaken(missing.id(root)) ? missing.real() : root;
			String id = missing.id(own);
			for (int number = 2; isTaken(id); number++) {
				id = missing.id(own) + "##" + number;
			}
			return new LocalWorkspace(id, roots(own, missing.real(), addedDirectories), missing.writable(),
					new LocalWorkspace.LaterRoots(this.added, missing.tenant(), missing.real()));
		});
	}

	private boolean isTaken(String id) {
		return this.workspaces.values().stream().anyMatch((workspace) -> workspace.id().equals(id));
	}

	@Override
	public void release(@Nullable String workspaceId) {
		if (workspaceId != null) {
			this.workspaces.values().removeIf((workspace) -> workspace.id().equals(workspaceId));
		}
	}

	private static Path root(Path base, String hint) {
		String path = WorkspaceHint.parse(hint).without(SCHEME);
		return path.isBlank() ? base : base.resolve(HintPath.parse(path)).normalize();
	}

	private static List<Path> roots(Path root, Path real, List<Path> addedDirectories) {
		return Stream.concat(Stream.of(root), addedDirectories.stream().filter((added) -> !added.equals(real)))
			.toList();
	}

	/**
	 * The attributes by which two requests denote the same workspace.
	 */
	private record Key(String tenant, Path real, boolean writable) {

		String id(Path root) {
			return WorkspaceIds.of(SCHEME, root.toString(), this.tenant, this.writable);
		}

	}

	/**
	 * A workspace in directories of this machine.
	 *
	 * @param id its id
	 * @param configured the roots at its creation
	 * @param writable whether its files may be changed
	 * @param later the roots added since
	 */
	private record LocalWorkspace(String id, List<Path> configured, boolean writable,
			LaterRoots later) implements Workspace {

		@Override
		public Path root() {
			return this.configured.get(0);
		}

		@Override
		public List<Path> roots() {
			List<Path> added = this.later.added();
			return added.isEmpty() ? this.configured
					: Stream
						.concat(this.configured.stream(),
								added.stream().filter((directory) -> !this.configured.contains(directory)))
						.toList();
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		/**
		 * The roots added while the workspace is in use.
		 *
		 * @param roots the roots of all workspaces
		 * @param tenant the tenant of the workspace
		 * @param primary the real path of the primary root
		 */
		record LaterRoots(WorkspaceRoots roots, String tenant, Path primary) {

			List<Path> added() {
				return this.roots.spellings(this.tenant)
					.stream()
					.filter((directory) -> !directory.equals(this.primary))
					.toList();
			}

		}

	}

}

package io.kairo.workspace.local;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;

import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceHint;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspacePath;
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
 */
public final class LocalDirectoryWorkspaceProvider implements WorkspaceProvider {

	private static final String SCHEME = "local";

	private final BaseDirectories directories;

	private final boolean writable;

	private final WorkspaceRoots added;

	private final ConcurrentMap<Key, Workspace> workspaces = new ConcurrentHashMap<>();

	/**
	 * Creates a provider of workspaces with a single root.
	 * @param baseDirectory the base directory of relative hints; accessed when a
	 * workspace is acquired
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory) {
		this(baseDirectory, List.of());
	}

	/**
	 * Creates a provider of workspaces with more roots.
	 * @param baseDirectory the base directory of relative hints; accessed when a
	 * workspace is acquired
	 * @param addedDirectories further roots of every workspace, after its own; they
	 * become roots by their real paths, and the given ones are their aliases
	 * @throws WorkspacePathException if one of the added directories is missing or is not
	 * a readable directory
	 */
	public LocalDirectoryWorkspaceProvider(Path baseDirectory, List<Path> addedDirectories) {
		this(fixed(baseDirectory.toAbsolutePath().normalize(),
				addedDirectories.stream()
					.map((directory) -> NamedDirectory.of(directory.toAbsolutePath().normalize()))
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
	 * @param files the options; they decide whether a directory can be added at run time
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

	private static BaseDirectories fixed(Path base, List<NamedDirectory> added) {
		BaseDirectories.Bases bases = new BaseDirectories.Bases(base, added, BaseDirectories.Reach.ANYWHERE);
		return (tenant) -> bases;
	}

	/**
	 * Returns a provider over the same directories whose workspaces are always read-only,
	 * regardless of the request.
	 * @return another provider
	 */
	public LocalDirectoryWorkspaceProvider readOnly() {
		return new LocalDirectoryWorkspaceProvider(this.directories, false, this.added);
	}

	/**
	 * Returns the list of additional directories. It can be extended while workspaces are
	 * in use.
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
		String shown = this.added.hidesHost() ? hint : root.toString();
		Path real = UsableDirectory.real(root, shown);
		this.added.requireApartFromState(real, "The directory "
				+ (shown.isBlank() ? "" : WorkspacePath.quote(shown) + " ") + "cannot be the root of a workspace");
		Key key = new Key(request.tenant().tenantId(), real, this.writable && request.writable());
		Workspace known = this.workspaces.get(key);
		return (known != null) ? known : add(key, root, bases.added());
	}

	private synchronized Workspace add(Key key, Path root, List<NamedDirectory> addedDirectories) {
		return this.workspaces.computeIfAbsent(key, (missing) -> {
			// A link with a new target is still the root of another workspace.
			Path own = isTaken(missing.id(root)) ? missing.real() : root;
			String id = missing.id(own);
			for (int number = 2; isTaken(id); number++) {
				id = missing.id(own) + "##" + number;
			}
			return new LocalWorkspace(id, own, missing, addedDirectories, this.added);
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

	/**
	 * The identity of a workspace. Requests with equal keys denote the same workspace.
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
	 * @param root the primary root
	 * @param key its attributes
	 * @param configured the other roots at its creation
	 * @param later the roots added since
	 */
	private record LocalWorkspace(String id, Path root, Key key, List<NamedDirectory> configured,
			WorkspaceRoots later) implements Workspace {

		@Override
		public List<Path> roots() {
			return Stream.concat(Stream.of(this.root), added().map(this::nameOf)).distinct().toList();
		}

		@Override
		public Map<Path, Path> rootAliases() {
			List<Path> roots = roots();
			Map<Path, Path> aliases = new LinkedHashMap<>();
			added().filter((added) -> roots.stream().noneMatch(added.given()::startsWith))
				.filter(NamedDirectory::hasAlias)
				.forEach((added) -> aliases.put(added.given(), nameOf(added)));
			return aliases;
		}

		private Stream<NamedDirectory> added() {
			return Stream.concat(this.configured.stream(), this.later.named(this.key.tenant()));
		}

		private Path nameOf(NamedDirectory added) {
			return added.real().equals(this.key.real()) ? this.root : added.real();
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.LOCAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public boolean writable() {
			return this.key.writable();
		}

	}

}

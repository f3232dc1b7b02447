package io.kairo.workspace.local;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import org.jspecify.annotations.Nullable;

/**
 * The directories added at run time to the workspaces of a
 * {@link LocalDirectoryWorkspaceProvider}. They follow the roots of a workspace in the
 * order of their addition. In workspaces in use they take effect when the files are
 * opened again, and for every command started afterwards. A directory that vanishes is
 * omitted while it is gone. Safe for use by several threads.
 */
public final class WorkspaceRoots {

	private final List<RootTemplate> templates;

	/** The only tenant with workspaces, null if every tenant has workspaces. */
	private final @Nullable String onlyTenant;

	private final LocalFilesOptions files;

	private final List<Added> added = new CopyOnWriteArrayList<>();

	/**
	 * Creates an empty list.
	 * @param templates the configured roots; tenants must be kept apart in them
	 * @param onlyTenant the only tenant with workspaces, null if every tenant has
	 * workspaces
	 * @param files the options for opening the files
	 */
	WorkspaceRoots(List<RootTemplate> templates, @Nullable String onlyTenant, LocalFilesOptions files) {
		this.templates = templates;
		this.onlyTenant = onlyTenant;
		this.files = files;
	}

	/**
	 * Adds a directory shared by the workspaces of all tenants. A directory that was
	 * added before keeps its position.
	 * @param directory the directory; a relative path is resolved against the current
	 * directory of the JVM
	 * @return its real path, which becomes the root
	 * @throws WorkspacePathException if it is blank, missing, unreadable or not a
	 * directory, if it overlaps directories of one tenant or of the application, or if
	 * the path policy gives a name to the primary root only
	 */
	public Path add(Path directory) {
		return add(null, directory);
	}

	/**
	 * Adds a directory to the workspaces of one tenant. A directory that was added before
	 * keeps its position.
	 * @param tenant the id of the tenant
	 * @param directory the directory; a relative path is resolved against the current
	 * directory of the JVM
	 * @return its real path, which becomes the root
	 * @throws WorkspacePathException as in {@link #add(Path)}, if it overlaps a directory
	 * of another tenant, or if the tenant has no workspaces
	 */
	public Path addFor(String tenant, Path directory) {
		if (this.onlyTenant != null && !tenant.equals(this.onlyTenant)) {
			throw new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
					"The tenant " + WorkspacePath.quote(tenant)
							+ " has no workspaces: the root is not divided by tenants. Add the directory to those of "
							+ WorkspacePath.quote(this.onlyTenant));
		}
		return add(PortableName.requireTenant(tenant), directory);
	}

	/**
	 * Takes a directory back that was added to the workspaces of all tenants. Calls and
	 * commands in progress are not interrupted.
	 * @param directory the directory, by its real path or as it was added
	 * @return false if it was not added, or for one tenant only
	 */
	public boolean remove(Path directory) {
		return remove(null, directory);
	}

	/**
	 * Takes a directory back that was added to the workspaces of one tenant. Calls and
	 * commands in progress are not interrupted.
	 * @param tenant the id of the tenant
	 * @param directory the directory, by its real path or as it was added
	 * @return false if it was not added, or for all tenants
	 */
	public boolean removeFor(String tenant, Path directory) {
		return remove(Objects.requireNonNull(tenant, "tenant"), directory);
	}

	/**
	 * Returns the directories added to the workspaces of a tenant that exist.
	 * @param tenant the id of the tenant
	 * @return a copy of the real paths, in the order of their addition
	 */
	public List<Path> of(String tenant) {
		return named(tenant).map(NamedDirectory::real).distinct().toList();
	}

	/**
	 * Returns the directories added to the workspaces of a tenant that exist, once for
	 * each path they were added by.
	 */
	Stream<NamedDirectory> named(String tenant) {
		return present(tenant).map((root) -> new NamedDirectory(root.directory, root.given));
	}

	private Stream<Added> present(String tenant) {
		return this.added.stream().filter((root) -> root.isFor(tenant) && root.exists());
	}

	private synchronized boolean remove(@Nullable String tenant, Path directory) {
		Path path = directory.toAbsolutePath().normalize();
		List<Path> real = this.added.stream()
			.filter((root) -> root.directory.equals(path) || root.given.equals(path))
			.map(Added::directory)
			.toList();
		return this.added.removeIf((root) -> Objects.equals(root.tenant, tenant) && real.contains(root.directory));
	}

	/**
	 * Returns whether messages must not name directories of this machine.
	 */
	boolean hidesHost() {
		return this.files.pathPolicy().hidesHost();
	}

	private synchronized Path add(@Nullable String tenant, Path directory) {
		if (directory.toString().isBlank()) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
					"A blank path names no directory that could be added: give the path of one");
		}
		if (this.files.pathPolicy().hidesHost()) {
			throw refused(WorkspaceErrorCode.INVALID_PATH, directory,
					"under the path policy " + this.files.pathPolicy().name().toLowerCase(Locale.ROOT).replace('_', '-')
							+ " only the primary root has a name: use the policy roots");
		}
		Path given = directory.toAbsolutePath().normalize();
		Path real = UsableDirectory.real(given);
		requireApartFromState(real, cannotAdd(directory));
		Added root = new Added(tenant, real, given);
		if (this.templates.stream().anyMatch(root::mixesTenantsOf)
				|| this.added.stream().anyMatch(root::mixesTenantsWith)) {
			throw refused(WorkspaceErrorCode.PERMISSION_DENIED, directory,
					"it overlaps a directory of a tenant, so that one would see another one's files: use directories "
							+ "apart");
		}
		if (this.added.stream().noneMatch((known) -> known.covers(root))) {
			this.added.add(root);
		}
		return real;
	}

	/**
	 * Checks that a root does not overlap the state directory, where commands could forge
	 * it.
	 * @param real the real path of the root
	 * @param refusal the beginning of the message
	 * @throws WorkspacePathException if it does
	 */
	void requireApartFromState(Path real, String refusal) {
		Path state = this.files.stateDirectory();
		Path realState = (state != null) ? RealPaths.of(state.toAbsolutePath().normalize()) : null;
		if (realState != null && real.startsWith(realState)) {
			throw new WorkspacePathException(WorkspaceErrorCode.PERMISSION_DENIED,
					refusal + ", as it belongs to the state of the application: name a directory of its own");
		}
		if (realState != null && realState.startsWith(real)) {
			throw new WorkspacePathException(WorkspaceErrorCode.PERMISSION_DENIED,
					refusal + ", as it contains the state of the application: name a directory without it");
		}
	}

	private static WorkspacePathException refused(WorkspaceErrorCode code, Path directory, String reason) {
		return new WorkspacePathException(code, cannotAdd(directory) + ", as " + reason);
	}

	private static String cannotAdd(Path directory) {
		return "The directory " + WorkspacePath.quote(directory.toString()) + " cannot be added";
	}

	/**
	 * An added directory.
	 *
	 * @param tenant the only tenant that has it, null for all tenants
	 * @param directory its real path
	 * @param given the path it was added by; it may contain links
	 */
	private record Added(@Nullable String tenant, Path directory, Path given) {

		boolean exists() {
			return Files.isDirectory(this.directory, LinkOption.NOFOLLOW_LINKS);
		}

		boolean isFor(String tenant) {
			return this.tenant == null || this.tenant.equals(tenant);
		}

		boolean covers(Added other) {
			return this.directory.equals(other.directory) && this.given.equals(other.given)
					&& (this.tenant == null || this.tenant.equals(other.tenant));
		}

		boolean mixesTenantsOf(RootTemplate template) {
			if (!template.perTenant()) {
				return false;
			}
			Path base = RealPaths.of(template.base());
			boolean own = this.tenant != null && this.directory.startsWith(base.resolve(this.tenant));
			return !own && overlaps(base);
		}

		boolean mixesTenantsWith(Added other) {
			return other.tenant != null && !other.tenant.equals(this.tenant) && overlaps(other.directory);
		}

		private boolean overlaps(Path other) {
			return this.directory.startsWith(other) || other.startsWith(this.directory);
		}

	}

}

package io.kairo.workspace.local;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Finds the directories of each tenant. A root that is not divided by tenants is
 * available to the default tenant only.
 */
final class TenantBaseDirectories implements BaseDirectories {

	private static final Logger logger = System.getLogger(TenantBaseDirectories.class.getName());

	private final RootTemplate primary;

	private final List<RootTemplate> added;

	private final String defaultTenant;

	/** Missing directories with a logged warning. */
	private final Set<Path> missing = ConcurrentHashMap.newKeySet();

	TenantBaseDirectories(List<RootTemplate> roots, String defaultTenant) {
		if (roots.isEmpty()) {
			throw new IllegalArgumentException("There is no root: give at least one directory");
		}
		for (RootTemplate root : roots) {
			roots.stream().filter(root::mixesTenantsWith).findFirst().ifPresent((other) -> {
				throw new WorkspacePathException(WorkspaceErrorCode.AMBIGUOUS_PATH,
						"The roots " + WorkspacePath.quote(root.toString()) + " and "
								+ WorkspacePath.quote(other.toString())
								+ " overlap, so that one tenant would see another one's files: use directories apart");
			});
		}
		this.primary = roots.get(0);
		this.added = List.copyOf(roots.subList(1, roots.size()));
		this.defaultTenant = defaultTenant;
	}

	@Override
	public Bases of(String tenant) {
		if (!this.primary.perTenant() && !tenant.equals(this.defaultTenant)) {
			throw new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
					"The tenant " + WorkspacePath.quote(tenant)
							+ " has no workspace: the root is not divided by tenants. The operator can give each "
							+ "tenant a directory with the segment " + RootTemplate.TENANT + " in the root");
		}
		return new Bases(this.primary.directory(tenant),
				this.added.stream().flatMap((root) -> added(root, tenant)).distinct().toList(),
				this.primary.perTenant() ? Reach.BELOW_BASE : Reach.ANYWHERE);
	}

	/**
	 * Returns an added directory. A missing one is omitted, as the workspace is usable
	 * without it.
	 */
	private Stream<NamedDirectory> added(RootTemplate root, String tenant) {
		Path directory = root.directory(tenant);
		try {
			NamedDirectory added = NamedDirectory.of(directory);
			this.missing.remove(directory);
			return Stream.of(added);
		}
		catch (WorkspacePathException ex) {
			if (this.missing.add(directory)) {
				logger.log(Level.WARNING, "An added root is missing from new workspaces: {0}", ex.getMessage());
			}
			return Stream.empty();
		}
	}

}

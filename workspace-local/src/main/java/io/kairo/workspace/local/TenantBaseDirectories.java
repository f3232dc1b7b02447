package io.kairo.workspace.local;

import java.util.List;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Leads each tenant to the directories of its own, and only the default tenant to what is
 * not divided by tenants.
 */
final class TenantBaseDirectories implements BaseDirectories {

	private final RootTemplate primary;

	private final List<RootTemplate> added;

	private final String defaultTenant;

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
				this.added.stream()
					.map((root) -> LocalDirectoryWorkspaceProvider.realDirectory(root.directory(tenant)))
					.distinct()
					.toList(),
				this.primary.perTenant() ? Reach.BELOW_BASE : Reach.ANYWHERE);
	}

}

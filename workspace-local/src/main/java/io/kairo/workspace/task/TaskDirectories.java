package io.kairo.workspace.task;

import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.RootTemplate;

/**
 * Finds the data directory of a tenant.
 */
@FunctionalInterface
interface TaskDirectories {

	/**
	 * Returns the directory of the workspaces of a tenant, which is not shared with
	 * others.
	 * @throws WorkspacePathException if the tenant has none
	 */
	Path of(String tenantId);

	/**
	 * Returns one directory for the default tenant, and directories in it, named by a
	 * hash of the id, for other tenants.
	 */
	static TaskDirectories in(Path directory) {
		return (tenant) -> tenant.equals(TenantContext.SINGLE.tenantId()) ? directory
				: directory.resolve("tenants").resolve(Sha256.hex(tenant, 16));
	}

	/**
	 * Returns directories by a template. Without a tenant segment, only the default
	 * tenant has one.
	 */
	static TaskDirectories of(RootTemplate template, String defaultTenant) {
		return (tenant) -> {
			if (!template.perTenant() && !tenant.equals(defaultTenant)) {
				throw new WorkspacePathException(WorkspaceErrorCode.WORKSPACE_NOT_ASSIGNED,
						"The tenant " + WorkspacePath.quote(tenant)
								+ " has no workspace: the data directory of tasks is not divided by tenants. The "
								+ "operator can give each tenant a directory with the segment " + RootTemplate.TENANT
								+ " in it");
			}
			return template.locate(tenant);
		};
	}

}

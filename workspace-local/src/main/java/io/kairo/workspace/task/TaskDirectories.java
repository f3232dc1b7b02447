package io.kairo.workspace.task;

import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.RootTemplate;

/**
 * Knows where the data of a tenant are.
 */
@FunctionalInterface
interface TaskDirectories {

	/**
	 * Returns the directory that holds the workspaces of a tenant and nothing of another
	 * one.
	 * @throws WorkspacePathException if the tenant has none
	 */
	Path of(String tenantId);

	/**
	 * Gives the default tenant a directory, and others one in it whose name is made of
	 * their id.
	 */
	static TaskDirectories in(Path directory) {
		return (tenant) -> tenant.equals(TenantContext.SINGLE.tenantId()) ? directory
				: directory.resolve("tenants").resolve(Sha256.hex(tenant, 16));
	}

	/**
	 * Gives each tenant a directory by a template, or only one tenant where that does not
	 * tell them apart.
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

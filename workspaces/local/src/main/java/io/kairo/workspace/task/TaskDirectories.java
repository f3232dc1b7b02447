package io.kairo.workspace.task;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;
import io.kairo.host.Sha256;
import io.kairo.workspace.local.RootTemplate;

/**
 * The data directories of tenants. They contain the workspaces of the tenants' agents.
 */
@FunctionalInterface
interface TaskDirectories {

	/** The name of the directory that contains the directories of other tenants. */
	String TENANTS = "tenants";

	/**
	 * Returns the data directory of a tenant, not shared with others.
	 * @throws WorkspacePathException if the tenant has none
	 */
	Path of(String tenantId);

	/**
	 * Checks that a directory can be assigned to an agent.
	 * @throws WorkspacePathException if it cannot, or if the tenant has no data directory
	 */
	default void require(String tenantId, String agentId, Path assigned) {
		Path data = of(tenantId);
		if (!isUsable(data, assigned)) {
			throw refused(agentId, assigned,
					"it is not below the data directory of the tenant, or belongs to other tenants: give a directory "
							+ "below " + WorkspacePath.quote(data.toString()) + " that is not in " + TENANTS);
		}
		Path above = data;
		for (Path name : data.relativize(assigned)) {
			above = above.resolve(name);
			if (Files.exists(above, LinkOption.NOFOLLOW_LINKS)
					&& !Files.isDirectory(above, LinkOption.NOFOLLOW_LINKS)) {
				throw refused(agentId, assigned, WorkspacePath.quote(above.toString())
						+ " is a file or a link: give a directory that no link leads to, or one that does not exist yet");
			}
		}
	}

	private static WorkspacePathException refused(String agentId, Path assigned, String reason) {
		return new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH,
				"The directory " + WorkspacePath.quote(assigned.toString()) + " cannot be assigned to the agent "
						+ WorkspacePath.quote(agentId) + ", as " + reason);
	}

	/**
	 * Returns whether the name of a directory allows its use for a workspace.
	 */
	static boolean isUsable(Path data, Path assigned) {
		return assigned.startsWith(data) && !assigned.equals(data) && !data.relativize(assigned).startsWith(TENANTS);
	}

	/**
	 * Returns one directory for the default tenant, and directories in it, named by a
	 * hash of the id, for other tenants.
	 */
	static TaskDirectories in(Path directory) {
		return (tenant) -> tenant.equals(TenantContext.SINGLE.tenantId()) ? directory
				: directory.resolve(TENANTS).resolve(Sha256.hex(tenant, 16));
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

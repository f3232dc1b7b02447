package io.kairo.workspace.local;

import io.kairo.api.tenant.TenantContext;

/**
 * Composes the ids of workspaces that each tenant has for itself, and that may be
 * read-only.
 */
public final class WorkspaceIds {

	private WorkspaceIds() {
	}

	/**
	 * Composes an id of the scheme, a colon and the name, {@code #} and the tenant unless
	 * that is the default one, and {@code #ro} if the workspace is read-only. The parts
	 * are escaped so that different workspaces have different ids.
	 * @param scheme the scheme of the provider
	 * @param name the name of the workspace, possibly a path
	 * @param tenant the id of the tenant
	 * @param writable whether the files may be changed
	 * @return the id
	 */
	public static String of(String scheme, String name, String tenant, boolean writable) {
		String owner = tenant.equals("ro") ? "%72o" : escaped(tenant);
		return scheme + ":" + escaped(name) + (tenant.equals(TenantContext.SINGLE.tenantId()) ? "" : "#" + owner)
				+ (writable ? "" : "#ro");
	}

	private static String escaped(String part) {
		return part.replace("%", "%25").replace("#", "%23");
	}

}

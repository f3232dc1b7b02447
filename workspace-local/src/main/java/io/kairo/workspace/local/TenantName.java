package io.kairo.workspace.local;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspacePathException;

/**
 * Decides whether the id of a tenant can be the name of a directory, on every operating
 * system.
 */
final class TenantName {

	private TenantName() {
	}

	static String require(String tenant) {
		if (!PortableName.is(tenant)) {
			throw new WorkspacePathException(WorkspaceErrorCode.INVALID_PATH, "The tenant "
					+ WorkspacePath.quote(tenant) + " cannot have a directory: its id needs " + PortableName.RULE);
		}
		return tenant;
	}

}

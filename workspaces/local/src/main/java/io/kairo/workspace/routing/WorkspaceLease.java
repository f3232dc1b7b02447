package io.kairo.workspace.routing;

import java.time.Instant;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;

/**
 * The leases of a workspace that was acquired and not released. Immutable.
 *
 * @param number a number that is unique among all leases of the provider
 * @param workspace the workspace
 * @param tenant the tenant that the workspace was first acquired for
 * @param holders the number of times the workspace was acquired and not released
 * @param since the time of the first acquire
 */
public record WorkspaceLease(long number, Workspace workspace, TenantContext tenant, int holders, Instant since) {

	WorkspaceLease withHolders(int holders) {
		return new WorkspaceLease(this.number, this.workspace, this.tenant, holders, this.since);
	}

}

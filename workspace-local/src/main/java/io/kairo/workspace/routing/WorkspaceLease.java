package io.kairo.workspace.routing;

import java.time.Instant;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;

/**
 * The leases on an acquired workspace. Immutable.
 *
 * @param number a number that is unique among the leases of the provider over time
 * @param workspace the workspace
 * @param tenant the tenant of the first acquire
 * @param holders number of acquires that were not released
 * @param since time of the first acquire
 * @since 0.1.0
 */
public record WorkspaceLease(long number, Workspace workspace, TenantContext tenant, int holders, Instant since) {

	WorkspaceLease withHolders(int holders) {
		return new WorkspaceLease(this.number, this.workspace, this.tenant, holders, this.since);
	}

}

package io.kairo.workspace.routing;

import java.time.Instant;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.Workspace;

/**
 * A workspace that was acquired and not released. Immutable.
 *
 * @param number tells it from every other lease of its provider, before and after
 * @param workspace the workspace
 * @param tenant who it was first acquired for
 * @param holders how often it was acquired and not released
 * @param since when it was first acquired
 * @since 0.1.0
 */
public record WorkspaceLease(long number, Workspace workspace, TenantContext tenant, int holders, Instant since) {

	WorkspaceLease withHolders(int holders) {
		return new WorkspaceLease(this.number, this.workspace, this.tenant, holders, this.since);
	}

}

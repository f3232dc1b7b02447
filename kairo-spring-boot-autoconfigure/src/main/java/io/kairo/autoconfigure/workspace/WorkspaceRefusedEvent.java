package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;

/**
 * Application event that is published when a workspace could not be acquired. Published
 * on the thread of the request. Immutable.
 *
 * @param tenant the tenant of the request
 * @param failure the failure
 */
public record WorkspaceRefusedEvent(TenantContext tenant, RuntimeException failure) {

}

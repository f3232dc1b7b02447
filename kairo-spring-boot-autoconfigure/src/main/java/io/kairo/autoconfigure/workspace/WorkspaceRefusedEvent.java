package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;

/**
 * Event of the application: a workspace could not be acquired. Published on the thread
 * that asked for it. Immutable.
 *
 * @param tenant who it was asked for
 * @param failure why not
 * @since 0.1.0
 */
public record WorkspaceRefusedEvent(TenantContext tenant, RuntimeException failure) {

}

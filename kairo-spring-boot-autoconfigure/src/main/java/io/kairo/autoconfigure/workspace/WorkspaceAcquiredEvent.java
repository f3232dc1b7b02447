package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * Application event that is published when a workspace was acquired, for the first time
 * or again. Published on the thread that acquires it, so that listeners should be quick
 * or asynchronous; a listener that fails is logged. Immutable.
 *
 * @param workspaceId the id of the workspace
 * @param kind the kind of the workspace
 * @param tenant the tenant that it was acquired for
 */
public record WorkspaceAcquiredEvent(String workspaceId, WorkspaceKind kind, TenantContext tenant) {

}

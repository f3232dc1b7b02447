package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * Event of the application: a workspace was acquired, for the first time or once more.
 * Published on the thread that acquires it, so that listeners should be quick or
 * asynchronous; one that fails is logged. Immutable.
 *
 * @param workspaceId the id of the workspace
 * @param kind what backs it
 * @param tenant who it was acquired for
 * @since 0.1.0
 */
public record WorkspaceAcquiredEvent(String workspaceId, WorkspaceKind kind, TenantContext tenant) {

}

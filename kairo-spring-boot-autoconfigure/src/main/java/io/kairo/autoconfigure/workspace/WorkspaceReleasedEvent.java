package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * Event of the application: somebody who had acquired a workspace gave it back, or it was
 * taken back. Published on the thread that releases it, and not any more when the
 * application is being closed. Immutable.
 *
 * @param workspaceId the id of the workspace
 * @param kind what backs it
 * @param tenant who it was acquired for
 * @param remaining how many still have it; 0 when it is gone
 * @since 0.1.0
 */
public record WorkspaceReleasedEvent(String workspaceId, WorkspaceKind kind, TenantContext tenant, int remaining) {

}

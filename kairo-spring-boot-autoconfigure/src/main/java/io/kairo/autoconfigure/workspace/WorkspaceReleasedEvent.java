package io.kairo.autoconfigure.workspace;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceKind;

/**
 * Application event that is published when a holder released a workspace, or lost it.
 * Published on the thread that releases it, but not while the application is being
 * closed. Immutable.
 *
 * @param workspaceId the id of the workspace
 * @param kind the kind of the workspace
 * @param tenant the tenant that it was acquired for
 * @param remaining the number of remaining holders; 0 if the workspace is gone
 */
public record WorkspaceReleasedEvent(String workspaceId, WorkspaceKind kind, TenantContext tenant, int remaining) {

}

package io.kairo.workspace.s3;

/**
 * A workspace with changes that were not written back when its session ended: as they are
 * in conflict, the object store could not be reached, or the process was killed. Its
 * files are kept until {@link S3WorkspaceProvider#resume(String)} has written them back,
 * or {@link S3WorkspaceProvider#discard(String)} removes them. Immutable.
 *
 * @param id the id, unique within the provider
 * @param location the location
 * @param tenantId the id of the tenant
 * @param interrupted whether a write-back was begun; it is resumed when the tenant
 * acquires the location again
 */
public record UnwrittenWorkspace(String id, S3Location location, String tenantId, boolean interrupted) {

}

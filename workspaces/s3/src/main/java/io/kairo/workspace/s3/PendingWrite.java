package io.kairo.workspace.s3;

import org.jspecify.annotations.Nullable;

/**
 * A change to be written back.
 *
 * @param path the path
 * @param base the version that the change is based on, null for a new file
 * @param id the identity of a write, empty for a deletion
 */
record PendingWrite(String path, @Nullable BaseVersion base, String id) {

}

package io.kairo.workspace.search;

import java.time.Instant;

import io.kairo.api.workspace.WorkspacePath;

/**
 * A file that was found by its name. Immutable.
 *
 * @param path where it is
 * @param size its size in bytes
 * @param modified when it was last modified
 * @since 0.1.0
 */
public record FoundFile(WorkspacePath path, long size, Instant modified) {

}

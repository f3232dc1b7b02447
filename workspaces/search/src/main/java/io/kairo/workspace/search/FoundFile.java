package io.kairo.workspace.search;

import java.time.Instant;

import io.kairo.api.workspace.WorkspacePath;

/**
 * A file found by its name. Immutable.
 *
 * @param path the path
 * @param size the size in bytes
 * @param modified the time of the last modification
 */
public record FoundFile(WorkspacePath path, long size, Instant modified) {

}

package io.kairo.api.workspace;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The attributes of an entry. Immutable.
 *
 * @param path its path
 * @param type its type
 * @param size its size in bytes; 0 for anything but a regular file
 * @param modified the time of the last modification
 * @param mode its permissions in the notation of {@code ls}, such as {@code rw-r--r--};
 * null if the store has none
 * @param version its version, as {@link FileContent#version()}; null in listings and for
 * anything but a regular file
 */
public record FileInfo(WorkspacePath path, FileType type, long size, Instant modified, @Nullable String mode,
		@Nullable String version) {

}

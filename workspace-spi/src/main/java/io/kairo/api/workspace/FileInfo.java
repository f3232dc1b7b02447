package io.kairo.api.workspace;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Facts about one entry. Immutable.
 *
 * @param path where it is
 * @param type what it is
 * @param size its size in bytes; 0 for anything but a regular file
 * @param modified when it was last modified
 * @param mode its permissions as {@code ls} writes them, such as {@code rw-r--r--}; null
 * where the store has none
 * @param version its version, as {@link FileContent#version()}; null in listings and for
 * anything but a regular file
 * @since 0.1.0
 */
public record FileInfo(WorkspacePath path, FileType type, long size, Instant modified, @Nullable String mode,
		@Nullable String version) {

}

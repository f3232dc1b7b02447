package io.kairo.workspace.memory;

import java.time.Instant;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * A file or a directory in memory. Its content is never changed in place.
 *
 * @param path the canonical path as it was spelled when the entry was made
 * @param content the bytes of a file, null for a directory
 * @param version the version of a file, null for a directory
 * @param modified when it was last modified
 */
record MemoryNode(String path, byte @Nullable [] content, @Nullable String version, Instant modified) {

	/**
	 * Makes a file of a copy of the content, which belongs to whoever gave it.
	 */
	static MemoryNode file(String path, byte[] content) {
		byte[] copy = content.clone();
		return new MemoryNode(path, copy, version(copy), Instant.now());
	}

	static MemoryNode directory(String path) {
		return new MemoryNode(path, null, null, Instant.now());
	}

	/**
	 * Makes the same version as the disk store for the same content.
	 */
	private static String version(byte[] content) {
		return "sha256:" + Sha256.hex(content);
	}

	boolean isFile() {
		return this.content != null;
	}

	int size() {
		return (this.content != null) ? this.content.length : 0;
	}

	MemoryNode movedTo(String target) {
		return new MemoryNode(target, this.content, this.version, this.modified);
	}

	MemoryNode copiedTo(String target) {
		return new MemoryNode(target, this.content, this.version, Instant.now());
	}

	FileInfo info(WorkspacePath where, @Nullable String shownVersion) {
		return new FileInfo(where, isFile() ? FileType.FILE : FileType.DIRECTORY, size(), this.modified, null,
				shownVersion);
	}

}

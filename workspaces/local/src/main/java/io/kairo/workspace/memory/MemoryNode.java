package io.kairo.workspace.memory;

import java.time.Instant;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.host.Sha256;
import org.jspecify.annotations.Nullable;

/**
 * A file or a directory in memory. Its content is never modified in place.
 *
 * @param path the canonical path in the spelling of its creation
 * @param content the bytes of a file, null for a directory
 * @param version the version of a file, null for a directory
 * @param modified the time of the last modification
 */
record MemoryNode(String path, byte @Nullable [] content, @Nullable String version, Instant modified) {

	/**
	 * Creates a file with a copy of the content.
	 */
	static MemoryNode file(String path, byte[] content) {
		byte[] copy = content.clone();
		return new MemoryNode(path, copy, version(copy), Instant.now());
	}

	static MemoryNode directory(String path) {
		return new MemoryNode(path, null, null, Instant.now());
	}

	/**
	 * Creates the version of a content, the same as in the disk store.
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

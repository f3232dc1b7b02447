package io.kairo.workspace.local.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.workspace.local.disk.handle.ListedEntry;
import org.jspecify.annotations.Nullable;

/**
 * Describes entries by their attributes.
 */
final class EntryFacts {

	private EntryFacts() {
	}

	static FileInfo of(WorkspacePath path, BasicFileAttributes attributes, @Nullable String version) {
		return new FileInfo(path, ListedEntry.typeOf(attributes), attributes.isRegularFile() ? attributes.size() : 0,
				attributes.lastModifiedTime().toInstant(), mode(attributes), version);
	}

	/**
	 * Returns the permissions, null if there are none.
	 */
	static @Nullable String mode(BasicFileAttributes attributes) {
		return (attributes instanceof PosixFileAttributes posix) ? PosixFilePermissions.toString(posix.permissions())
				: null;
	}

}

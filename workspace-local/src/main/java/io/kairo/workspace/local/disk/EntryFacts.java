package io.kairo.workspace.local.disk;

import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;

import io.kairo.api.workspace.FileInfo;
import io.kairo.api.workspace.FileType;
import io.kairo.api.workspace.WorkspacePath;
import org.jspecify.annotations.Nullable;

/**
 * Describes entries by their attributes.
 */
final class EntryFacts {

	private EntryFacts() {
	}

	static FileInfo of(WorkspacePath path, BasicFileAttributes attributes, @Nullable String version) {
		String mode = (attributes instanceof PosixFileAttributes posix)
				? PosixFilePermissions.toString(posix.permissions()) : null;
		return new FileInfo(path, type(attributes), attributes.isRegularFile() ? attributes.size() : 0,
				attributes.lastModifiedTime().toInstant(), mode, version);
	}

	private static FileType type(BasicFileAttributes attributes) {
		if (attributes.isSymbolicLink()) {
			return FileType.LINK;
		}
		if (attributes.isDirectory()) {
			return FileType.DIRECTORY;
		}
		return attributes.isRegularFile() ? FileType.FILE : FileType.OTHER;
	}

}

package io.kairo.workspace.git;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Makes directories that nobody else looks into.
 */
final class OwnedDirectory {

	private OwnedDirectory() {
	}

	/**
	 * Makes a directory, and those above it, where they are missing.
	 */
	static Path create(Path directory) throws IOException {
		if (Files.isDirectory(directory)) {
			return directory;
		}
		Files.createDirectories(directory.getParent());
		try {
			return Files.createDirectory(directory, ownerOnly(directory));
		}
		catch (FileAlreadyExistsException ex) {
			return directory; // by somebody else, just now
		}
	}

	private static FileAttribute<?>[] ownerOnly(Path directory) {
		return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")) }
				: new FileAttribute<?>[0];
	}

}

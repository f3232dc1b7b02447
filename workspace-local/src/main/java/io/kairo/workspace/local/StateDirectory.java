package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The directory of the store's own state, made when it is needed and for its owner only.
 *
 * @param path where it is
 */
record StateDirectory(Path path) {

	private static final String OWNER_ONLY = "rwx------";

	/**
	 * Creates the directory where it is missing.
	 */
	Path create() throws IOException {
		return create(this.path);
	}

	/**
	 * Creates a directory in it where that is missing.
	 */
	Path create(String name) throws IOException {
		return create(create().resolve(name));
	}

	private static Path create(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			if (directory.getParent() != null) {
				Files.createDirectories(directory.getParent());
			}
			try {
				Files.createDirectory(directory, ownerOnly(directory));
			}
			catch (FileAlreadyExistsException ex) {
				// By somebody else, just now.
			}
		}
		return directory;
	}

	private static FileAttribute<?>[] ownerOnly(Path path) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)) }
				: new FileAttribute<?>[0];
	}

}

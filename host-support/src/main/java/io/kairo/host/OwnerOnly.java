package io.kairo.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Permissions that give access to the owner alone. They are set when a file or directory
 * is created, so that at no time another user has access. File systems without POSIX
 * permissions apply their defaults.
 *
 * @since 0.1.0
 */
public final class OwnerOnly {

	private OwnerOnly() {
	}

	/**
	 * Returns the attributes to create a directory with: mode 0700.
	 * @param path a path on the file system of the directory
	 * @return the attributes, empty on a file system without POSIX permissions
	 */
	public static FileAttribute<?>[] directory(Path path) {
		return permissions(path, "rwx------");
	}

	/**
	 * Returns the attributes to create a file with: mode 0600.
	 * @param path a path on the file system of the file
	 * @return the attributes, empty on a file system without POSIX permissions
	 */
	public static FileAttribute<?>[] file(Path path) {
		return permissions(path, "rw-------");
	}

	/**
	 * Creates a directory with mode 0700 unless it exists. Missing directories above it
	 * are created with the default permissions of the process.
	 * @param directory the directory
	 * @return the directory
	 * @throws IOException if it cannot be created, or a file has its name
	 */
	public static Path createDirectory(Path directory) throws IOException {
		if (Files.isDirectory(directory)) {
			return directory;
		}
		Path parent = directory.getParent();
		if (parent != null && !Files.isDirectory(parent)) {
			Files.createDirectories(parent);
		}
		try {
			return Files.createDirectory(directory, directory(directory));
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory)) {
				throw ex;
			}
			return directory; // created by another thread or process in the meantime
		}
	}

	/**
	 * Creates a directory and all missing directories above it with mode 0700. The
	 * permissions of existing directories do not change.
	 * @param directory the directory
	 * @return the directory
	 * @throws IOException if it cannot be created, or a file has its name
	 */
	public static Path createDirectories(Path directory) throws IOException {
		return Files.isDirectory(directory) ? directory : Files.createDirectories(directory, directory(directory));
	}

	private static FileAttribute<?>[] permissions(Path path, String permissions) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

}

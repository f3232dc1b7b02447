package io.kairo.host;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;

/**
 * Permissions that give access to the owner alone. They are set when a file or directory
 * is created, so that at no time another user has access. File systems without POSIX
 * permissions apply their defaults.
 */
public final class OwnerOnly {

	private static final Path PROCESS = Path.of("/proc/self");

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

	/**
	 * Checks that a file or directory belongs to the user of this process, that no other
	 * user can change it, and that it is not a link. File systems without POSIX
	 * permissions have no owners to check.
	 * @param path an existing file or directory
	 * @throws NoSuchFileException if it does not exist
	 * @throws FileSystemException if it is unsafe, with the reason and a remedy
	 * @throws IOException if it cannot be examined
	 */
	public static void require(Path path) throws IOException {
		if (Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).isSymbolicLink()) {
			throw new FileSystemException(path.toString(), null, "it is a symbolic link: use its target instead");
		}
		if (!path.getFileSystem().supportedFileAttributeViews().contains("posix")) {
			return;
		}
		PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		UserPrincipal user = user();
		if (!attributes.owner().equals(user)) {
			throw new FileSystemException(path.toString(), null,
					"it belongs to the user " + attributes.owner().getName() + ": make it belong to " + user.getName()
							+ ", the user of the application");
		}
		if (attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
				|| attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE)) {
			throw new FileSystemException(path.toString(), null,
					"other users can change it: remove their permission with chmod go-w");
		}
	}

	private static UserPrincipal user() throws IOException {
		return Files.exists(PROCESS) ? Files.getOwner(PROCESS)
				: FileSystems.getDefault()
					.getUserPrincipalLookupService()
					.lookupPrincipalByName(System.getProperty("user.name"));
	}

	private static FileAttribute<?>[] permissions(Path path, String permissions) {
		return path.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions)) }
				: new FileAttribute<?>[0];
	}

}

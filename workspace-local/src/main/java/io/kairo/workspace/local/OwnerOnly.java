package io.kairo.workspace.local;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * The permissions of directories that are made for nobody else.
 */
public final class OwnerOnly {

	private static final String PERMISSIONS = "rwx------";

	private OwnerOnly() {
	}

	/**
	 * Returns what to make a directory with, nothing where there are no permissions.
	 * @param directory the directory
	 * @return the attributes
	 */
	public static FileAttribute<?>[] of(Path directory) {
		return directory.getFileSystem().supportedFileAttributeViews().contains("posix")
				? new FileAttribute<?>[] {
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(PERMISSIONS)) }
				: new FileAttribute<?>[0];
	}

}

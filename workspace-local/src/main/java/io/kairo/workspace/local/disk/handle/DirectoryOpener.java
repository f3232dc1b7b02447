package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

/**
 * Opens the directories in which a descent starts.
 */
@FunctionalInterface
public interface DirectoryOpener {

	/**
	 * Opens a directory.
	 * @param directory the real path. The directories above it are trusted; the directory
	 * itself may be replaced at any time
	 * @return the open directory, to be closed by the caller
	 * @throws LinkedRootException if the directory has become a link
	 * @throws RacedException if it was replaced while it was being opened
	 */
	OpenDirectory open(Path directory) throws IOException;

	/**
	 * Creates a missing directory and the missing directories above it.
	 * @param directory the path by which it is opened
	 * @throws LinkedRootException if a link is on the way that must not be followed
	 */
	default void create(Path directory) throws IOException {
		Files.createDirectories(directory);
	}

	/**
	 * Returns the opener of this platform. Where directories have handles, entries below
	 * an open directory cannot be swapped.
	 * @return the opener
	 */
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	static DirectoryOpener platform() {
		FifoGuard fifoGuard = new FifoGuard();
		return (directory) -> {
			BasicFileAttributes expected = requireDirectory(directory);
			DirectoryStream<Path> stream = fifoGuard.open(new FifoGuard.ByPath(directory),
					() -> Files.newDirectoryStream(directory));
			return verified((stream instanceof SecureDirectoryStream<Path> secure)
					? new SecureDirectory(directory, directory, secure, fifoGuard)
					: new CheckedDirectory(directory, directory, stream), expected);
		};
	}

	/**
	 * Returns an opener that compares paths, for platforms without handles for
	 * directories.
	 * @return the opener
	 */
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	static DirectoryOpener checked() {
		return (directory) -> {
			BasicFileAttributes expected = requireDirectory(directory);
			return verified(new CheckedDirectory(directory, directory, Files.newDirectoryStream(directory)), expected);
		};
	}

	private static BasicFileAttributes requireDirectory(Path directory) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		if (attributes.isSymbolicLink()) {
			throw new LinkedRootException();
		}
		if (!attributes.isDirectory()) {
			throw new NotDirectoryException(null);
		}
		return attributes;
	}

	/**
	 * Checks that the opened directory, which may have been reached through a link, is
	 * the one that had the name before.
	 */
	private static OpenDirectory verified(OpenDirectory opened, BasicFileAttributes expected) throws IOException {
		try {
			if (!Objects.equals(opened.self().fileKey(), expected.fileKey())) {
				throw new RacedException();
			}
			return opened;
		}
		catch (IOException ex) {
			opened.close();
			throw ex;
		}
	}

}

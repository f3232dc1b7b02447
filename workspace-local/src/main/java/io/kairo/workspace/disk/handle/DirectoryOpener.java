package io.kairo.workspace.disk.handle;

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
 * Opens the directories that a descent starts from.
 */
@FunctionalInterface
public interface DirectoryOpener {

	/**
	 * Opens a directory.
	 * @param directory its real path. The directories above it are trusted; what has its
	 * own name may be replaced at any time
	 * @throws LinkedRootException if a link is there by now
	 * @throws RacedException if it was replaced while it was opened
	 */
	OpenDirectory open(Path directory) throws IOException;

	/**
	 * Creates a directory that is missing, and those above it.
	 * @param directory the path that it is opened by
	 * @throws LinkedRootException if a link is in the way that must not be followed
	 */
	default void create(Path directory) throws IOException {
		Files.createDirectories(directory);
	}

	/**
	 * Opens directories so that nothing below them can be swapped under the reader, where
	 * the platform can do it.
	 */
	@SuppressWarnings("StreamResourceLeak") // closed with what is returned
	static DirectoryOpener platform() {
		BlockedOpens blockedOpens = new BlockedOpens();
		return (directory) -> {
			BasicFileAttributes expected = requireDirectory(directory);
			DirectoryStream<Path> stream = blockedOpens.watch(new BlockedOpens.ByPath(directory),
					() -> Files.newDirectoryStream(directory));
			return verified((stream instanceof SecureDirectoryStream<Path> secure)
					? new SecureDirectory(directory, directory, secure, blockedOpens)
					: new CheckedDirectory(directory, directory, stream), expected);
		};
	}

	/**
	 * Opens directories where the platform has no handles for them.
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
	 * Makes sure that what was opened, which may have been through a link, is what had
	 * the name before.
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

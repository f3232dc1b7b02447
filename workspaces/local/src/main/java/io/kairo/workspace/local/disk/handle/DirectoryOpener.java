package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * Opens the directories that a descent starts in.
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
	 * @param directory the path that it is opened by
	 * @throws LinkedRootException if a link is on the way that must not be followed
	 */
	default void create(Path directory) throws IOException {
		Files.createDirectories(directory);
	}

	/**
	 * Returns this opener for a workspace. Opens that do not return are counted for that
	 * workspace.
	 * @param workspace the primary root of the workspace
	 * @return the opener
	 */
	default DirectoryOpener of(Path workspace) {
		return this;
	}

	/**
	 * Returns the opener of files below the directories without a descent.
	 * @return null if there is none
	 */
	default @Nullable DirectFiles direct() {
		return null;
	}

	/**
	 * Returns an open directory for visits of its entries.
	 * @param directory the open directory; it stays open at least as long
	 * @return the same directory, possibly held by another handle, to be closed by the
	 * caller
	 */
	default ListedDirectory listed(OpenDirectory directory) {
		return new StreamedListing(directory, direct());
	}

	/**
	 * Performs an operation whose opens may not return, on a thread that may be lost, and
	 * waits for it.
	 * @param <T> the type of the result
	 * @param operation the operation; a result is expected only if all opens return
	 * @return the result
	 * @throws StuckOpenException if an open does not return
	 * @throws IOException if the operation fails
	 */
	default <T> T call(Operation<T> operation) throws IOException {
		return operation.run();
	}

	/**
	 * Starts work that consists of opens, on a thread that may be lost.
	 * @param work the work
	 */
	default void start(AbandonableTask work) {
		Thread thread = new Thread(null, work::run, "kairo-open", 0, false);
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * Returns the opener of this platform, without direct system calls. Where directories
	 * have handles, entries below an open directory cannot be swapped.
	 * @return the opener
	 */
	static DirectoryOpener platform() {
		return platform(null, false);
	}

	/**
	 * Returns the opener of this platform that creates directories for a user.
	 * @param owner the user, or null for the user of the application
	 * @param nativeCalls whether to make system calls directly where the JVM can
	 * @return the opener
	 */
	static DirectoryOpener platform(@Nullable HostUser owner, boolean nativeCalls) {
		return new PlatformOpener(FifoGuard.create(), owner, nativeCalls);
	}

	/**
	 * Returns an opener that compares paths, for platforms without handles for
	 * directories.
	 * @return the opener
	 */
	@SuppressWarnings("StreamResourceLeak") // closed with the returned object
	static DirectoryOpener checked() {
		FifoGuard fifoGuard = FifoGuard.create();
		return (directory) -> {
			BasicFileAttributes expected = requireDirectory(directory);
			DirectoryStream<Path> stream = fifoGuard.open(FifoGuard.NOT_UNBLOCKED,
					() -> Files.newDirectoryStream(directory));
			return verified(new CheckedDirectory(directory, directory, stream, fifoGuard), expected);
		};
	}

	/**
	 * Returns the attributes of a directory.
	 * @param directory the path
	 * @return the attributes of the directory itself
	 * @throws LinkedRootException if it is a link
	 * @throws IOException if it is no directory, or cannot be examined
	 */
	static BasicFileAttributes requireDirectory(Path directory) throws IOException {
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
	 * Checks that the opened directory had the name before. It may have been reached
	 * through a link.
	 * @param opened the opened directory, closed if it is another one
	 * @param expected the attributes of the directory that had the name before
	 * @return the opened directory
	 * @throws RacedException if it is another one
	 * @throws IOException if it cannot be examined
	 */
	static OpenDirectory verified(OpenDirectory opened, BasicFileAttributes expected) throws IOException {
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

	/**
	 * An open, or an operation with opens.
	 *
	 * @param <T> the type of the result
	 */
	@FunctionalInterface
	interface Operation<T> {

		/**
		 * Performs the operation.
		 * @return its result
		 * @throws IOException if it fails
		 */
		T run() throws IOException;

	}

}

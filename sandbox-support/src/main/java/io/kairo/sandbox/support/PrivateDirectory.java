package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A directory that only the user of the JVM can enter (mode 0700), for files that a
 * sandbox needs while commands run. It is made when it is first needed, and again should
 * somebody have removed it. What a JVM that was killed has left beside it goes then. Safe
 * for use by several threads.
 *
 * @since 0.1.0
 */
public final class PrivateDirectory implements AutoCloseable {

	private static final Logger logger = System.getLogger(PrivateDirectory.class.getName());

	private final @Nullable Path parent;

	private final AtomicLong names = new AtomicLong();

	private @Nullable Path directory;

	private boolean closed;

	/**
	 * Creates the description of a directory and touches no file.
	 * @param parent where to make the directory, made itself if it is missing; null for
	 * the directory for temporary files
	 */
	public PrivateDirectory(@Nullable Path parent) {
		this.parent = parent;
	}

	/**
	 * Returns the directory, making it if need be.
	 * @return an existing directory
	 * @throws IOException if it cannot be made, or was closed
	 */
	public synchronized Path path() throws IOException {
		Path current = this.directory;
		if (current == null || !Files.isDirectory(current, LinkOption.NOFOLLOW_LINKS)) {
			current = create();
			this.directory = current;
		}
		return current;
	}

	/**
	 * Returns a path in the directory that was not handed out before. No file is made.
	 * @param prefix how the name begins
	 * @return a path
	 * @throws IOException if the directory cannot be made, or was closed
	 */
	public Path newPath(String prefix) throws IOException {
		return path().resolve(prefix + "-" + this.names.incrementAndGet());
	}

	/**
	 * Removes the directory with all that is in it. It cannot be used any more.
	 */
	@Override
	public synchronized void close() {
		Path current = this.directory;
		this.directory = null;
		this.closed = true;
		if (current == null) {
			return;
		}
		try {
			Files.walkFileTree(current, new TreeDeletion());
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "A private directory could not be removed", ex);
		}
	}

	private Path create() throws IOException {
		if (this.closed) {
			throw new IOException("The private directory is closed");
		}
		Path created = (this.parent != null) ? createBelow(this.parent)
				: Files.createTempDirectory(JvmIdentity.ofThisJvm().directoryName(""));
		AbandonedDirectories.removeBeside(created.toAbsolutePath());
		return created.toAbsolutePath();
	}

	private static Path createBelow(Path parent) throws IOException {
		createPrivately(parent);
		return Files.createTempDirectory(parent, JvmIdentity.ofThisJvm().directoryName(""));
	}

	/**
	 * Creates a directory and the missing ones above it, for its owner only. One that is
	 * there already is left as it is.
	 */
	private static void createPrivately(Path directory) throws IOException {
		if (Files.isDirectory(directory)) {
			return;
		}
		Path above = directory.getParent();
		if (above != null) {
			createPrivately(above);
		}
		try {
			if (directory.getFileSystem().supportedFileAttributeViews().contains("posix")) {
				Files.createDirectory(directory,
						PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
			}
			else {
				Files.createDirectory(directory);
			}
		}
		catch (FileAlreadyExistsException ex) {
			if (!Files.isDirectory(directory)) {
				throw ex;
			}
		}
	}

}

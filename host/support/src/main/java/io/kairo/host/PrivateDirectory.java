package io.kairo.host;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/**
 * A directory of this JVM that only its user can enter. It is created with mode 0700 when
 * it is first needed, created again if another process has removed it, and removed on
 * {@link #close()}. A {@link Claim} inside protects it from other JVMs. Its name is
 * random, since commands may see it in their mount table; the name of a file inside has
 * the identity of the JVM. Private directories beside it that killed JVMs left behind are
 * removed when it is created. Safe for use by several threads.
 */
public final class PrivateDirectory implements AutoCloseable {

	/** The name of the claim. */
	static final String CLAIM = "lock";

	/**
	 * The end of the name of an empty file, after the identity of the JVM. Unlike the
	 * claim, it can be found without opening it.
	 */
	static final String OWNER = "owner";

	private static final Logger logger = System.getLogger(PrivateDirectory.class.getName());

	private final @Nullable Path parent;

	private final String prefix;

	private final AtomicLong names = new AtomicLong();

	private @Nullable Path directory;

	private @Nullable Claim claim;

	private boolean closed;

	/**
	 * Creates a private directory whose name begins with {@code kairo-}. Does not access
	 * the disk.
	 * @param parent the directory to create it in, created with mode 0700 if it is
	 * missing; null for the directory for temporary files
	 */
	public PrivateDirectory(@Nullable Path parent) {
		this(parent, "kairo-");
	}

	/**
	 * Creates a private directory. Does not access the disk.
	 * @param parent the directory to create it in, created with mode 0700 if it is
	 * missing; null for the directory for temporary files
	 * @param prefix the beginning of its name; abandoned directories with the same prefix
	 * are removed
	 */
	public PrivateDirectory(@Nullable Path parent, String prefix) {
		this.parent = parent;
		this.prefix = prefix;
	}

	/**
	 * Returns the directory, creating it if necessary.
	 * @return an existing directory
	 * @throws IOException if it cannot be created, or was closed
	 */
	public synchronized Path path() throws IOException {
		Path current = this.directory;
		if (current == null || !Files.isDirectory(current, LinkOption.NOFOLLOW_LINKS)) {
			if (this.closed) {
				throw new IOException("The private directory is closed");
			}
			releaseClaim();
			current = create();
			this.directory = current;
			AbandonedDirectories.removeBeside(current, this.prefix);
		}
		return current;
	}

	/**
	 * Returns a new path in the directory. Does not create a file.
	 * @param prefix the beginning of the name
	 * @return a path that was not returned before
	 * @throws IOException if the directory cannot be created, or was closed
	 */
	public Path newPath(String prefix) throws IOException {
		return path().resolve(prefix + "-" + this.names.incrementAndGet());
	}

	/**
	 * Removes the directory with everything in it. It cannot be used afterwards.
	 */
	@Override
	public synchronized void close() {
		Path current = this.directory;
		this.directory = null;
		this.closed = true;
		if (current != null) {
			try {
				delete(current);
			}
			catch (IOException ex) {
				logger.log(Level.DEBUG, "Cannot remove a private directory", ex);
			}
		}
		releaseClaim();
	}

	/**
	 * Deletes a private directory, the identity of its owner last: if the deletion fails
	 * or is interrupted, the next sweep continues it.
	 */
	static void delete(Path directory) throws IOException {
		TreeDeletion.delete(directory, (name) -> name.endsWith(OWNER));
	}

	/**
	 * Creates the directory. Until the file with the identity of the JVM exists, its name
	 * begins with that.
	 */
	private Path create() throws IOException {
		String owner = ProcessIdentity.current().prefix();
		while (true) {
			Path draft = (this.parent != null)
					? Files.createTempDirectory(OwnerOnly.createDirectories(this.parent), this.prefix + owner)
					: Files.createTempDirectory(this.prefix + owner);
			String name = UUID.randomUUID().toString().replace("-", "");
			Path created = draft.resolveSibling(this.prefix + name).toAbsolutePath();
			try {
				Files.createFile(draft.resolve(owner + OWNER));
				Files.move(draft, created);
				if (claim(created)) {
					return created;
				}
			}
			catch (IOException ex) {
				TreeDeletion.delete(draft);
				TreeDeletion.delete(created);
				throw ex;
			}
		}
	}

	/**
	 * Claims a new directory. On a file system without locks the identity of the JVM has
	 * to suffice.
	 * @return false if another JVM took the directory for an abandoned one
	 */
	private boolean claim(Path created) throws IOException {
		try {
			this.claim = Claim.create(created.resolve(CLAIM));
			return this.claim != null;
		}
		catch (FileSystemException ex) {
			if (Files.isDirectory(created, LinkOption.NOFOLLOW_LINKS)) {
				throw ex;
			}
			return false;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Cannot lock a private directory", ex);
			return Files.isDirectory(created, LinkOption.NOFOLLOW_LINKS);
		}
	}

	private void releaseClaim() {
		try (Claim current = this.claim) {
			this.claim = null;
		}
		catch (IOException ex) {
			logger.log(Level.DEBUG, "Cannot release the claim on a private directory", ex);
		}
	}

}

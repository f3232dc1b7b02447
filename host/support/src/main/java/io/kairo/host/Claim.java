package io.kairo.host;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A file that its owner keeps locked as long as it lives. The operating system releases
 * the lock when the owner ends, however that happens, so that another process can take
 * over the files that the owner left behind. Unlike a process ID, the lock also tells
 * whether an owner in another container is alive.
 * <p>
 * On POSIX systems a process loses its lock on a file when it closes <em>any</em> handle
 * of that file. A process must therefore never open the claims that it holds: it
 * recognizes them by its {@linkplain ProcessIdentity#prefix() identity} at the beginning
 * of their names, or of the name of a file beside them.
 */
public final class Claim implements Closeable {

	private final Path file;

	private final FileChannel channel;

	private Claim(Path file, FileChannel channel) {
		this.file = file;
		this.channel = channel;
	}

	/**
	 * Creates a claim with a new name.
	 * @param directory the directory to create the file in
	 * @param owner the process that the name of the file begins with
	 * @param suffix the end of the name of the file
	 * @return the claim
	 * @throws IOException if the file cannot be created or locked
	 */
	public static Claim create(Path directory, ProcessIdentity owner, String suffix) throws IOException {
		Claim claim = null;
		while (claim == null) {
			claim = create(directory.resolve(owner.prefix() + UUID.randomUUID() + suffix));
		}
		return claim;
	}

	/**
	 * Creates a claim.
	 * @param file the file; it must not exist
	 * @return the claim, or null if another process took the file for an abandoned one
	 * before it was locked, and has removed it or is about to
	 * @throws IOException if the file cannot be created or locked
	 */
	static @Nullable Claim create(Path file) throws IOException {
		FileChannel channel = FileChannel.open(file,
				Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE),
				OwnerOnly.file(file));
		try {
			return lock(file, channel);
		}
		catch (IOException ex) {
			Files.deleteIfExists(file);
			throw ex;
		}
	}

	/**
	 * Takes over the claim of a process that has ended. The file must not be a claim that
	 * this process holds.
	 * @param file the file
	 * @return the claim, or null if its owner is alive, another process is taking it
	 * over, or the file is not a regular file
	 * @throws IOException if the file cannot be opened or locked
	 */
	public static @Nullable Claim takeOver(Path file) throws IOException {
		if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
			return null; // to open a FIFO would block
		}
		return lock(file,
				FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
	}

	private static @Nullable Claim lock(Path file, FileChannel channel) throws IOException {
		boolean held = false;
		try {
			held = channel.tryLock() != null && Files.exists(file, LinkOption.NOFOLLOW_LINKS);
			return held ? new Claim(file, channel) : null;
		}
		catch (OverlappingFileLockException ex) {
			return null; // locked by another thread
		}
		finally {
			if (!held) {
				channel.close();
			}
		}
	}

	/**
	 * Returns the file.
	 * @return its path
	 */
	public Path file() {
		return this.file;
	}

	/**
	 * Returns whether the claim still protects its owner: the file is open and has not
	 * been removed.
	 * @return whether the claim is held
	 */
	public boolean isHeld() {
		return this.channel.isOpen() && Files.exists(this.file, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Reads the file. To open it for that would release the lock.
	 * @return all bytes of the file, fewer than 2 GiB
	 * @throws IOException if the file cannot be read
	 */
	public byte[] readAllBytes() throws IOException {
		ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(this.channel.size()));
		while (bytes.hasRemaining() && this.channel.read(bytes, bytes.position()) >= 0) {
			// not everything has been read yet
		}
		return bytes.array();
	}

	/**
	 * Deletes the file, as there is nothing left to claim.
	 * @throws IOException if the file cannot be deleted
	 */
	public void delete() throws IOException {
		Files.deleteIfExists(this.file);
	}

	/**
	 * Releases the lock. Unless the file was deleted, another process can take over.
	 */
	@Override
	public void close() throws IOException {
		this.channel.close();
	}

}

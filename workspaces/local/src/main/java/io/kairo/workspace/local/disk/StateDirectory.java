package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.kairo.host.OwnerOnly;
import io.kairo.workspace.local.FailureDetail;

/**
 * The state directory of the store, created on demand with access for its owner only. The
 * directory and its content are used only while they belong to the user of this process
 * and no other user can change them. No link is followed at or below it.
 *
 * @param path the path of the directory
 */
public record StateDirectory(Path path) {

	/**
	 * Checks the directory if it exists.
	 * @throws FileSystemException if it is unsafe, with the reason and a remedy
	 * @throws IOException if it cannot be examined
	 */
	public void verify() throws IOException {
		// a missing one is created when it is first used
		if (Files.exists(this.path, LinkOption.NOFOLLOW_LINKS)) {
			OwnerOnly.require(this.path);
		}
	}

	/**
	 * Checks that the directory can be written, or created if it is missing.
	 * @throws FileSystemException if it cannot, with the reason and a remedy
	 */
	public void requireWritable() throws FileSystemException {
		Path existing = this.path;
		while (existing.getParent() != null && !Files.exists(existing)) {
			existing = existing.getParent();
		}
		if (!Files.isDirectory(existing) || !Files.isWritable(existing)) {
			throw new FileSystemException(this.path.toString(), null, (existing.equals(this.path) ? "it"
					: "it cannot be created, as " + existing)
					+ " is not a directory that the user of the application can write: grant the access, or use "
					+ "another directory");
		}
	}

	/**
	 * Creates a directory in it if that is missing.
	 * @return the directory
	 * @throws IOException if it cannot be created, or is unsafe
	 */
	Path create(String name) throws IOException {
		try {
			return secure(create().resolve(name));
		}
		catch (IOException ex) {
			throw UnusableException.of(ex);
		}
	}

	/**
	 * Returns the path of a file in it, creating the directory itself if it is missing.
	 * @return the path of a regular file, or of nothing
	 * @throws IOException if the directory cannot be created, or one of them is unsafe
	 */
	Path file(String name) throws IOException {
		Path file;
		try {
			file = create().resolve(name);
		}
		catch (IOException ex) {
			throw UnusableException.of(ex);
		}
		if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
			OwnerOnly.require(file);
			if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
				throw new FileSystemException(file.toString(), null, "it is not a file");
			}
		}
		return file;
	}

	/**
	 * Returns an existing directory in it.
	 * @return the directory
	 * @throws NoSuchFileException if it does not exist
	 * @throws IOException if one of them is unsafe
	 */
	Path existing(String name) throws IOException {
		OwnerOnly.require(this.path);
		Path directory = this.path.resolve(name);
		OwnerOnly.require(directory);
		return directory;
	}

	private Path create() throws IOException {
		return secure(this.path);
	}

	private static Path secure(Path directory) throws IOException {
		OwnerOnly.createDirectory(directory);
		OwnerOnly.require(directory);
		return directory;
	}

	/**
	 * Thrown if the state directory cannot be created or is unsafe.
	 */
	static final class UnusableException extends IOException {

		private static final long serialVersionUID = 1L;

		private UnusableException(IOException cause) {
			super("The state directory cannot be used: " + cause.getMessage(), cause);
		}

		static IOException of(IOException cause) {
			return FailureDetail.isFullDisk(cause) ? cause : new UnusableException(cause);
		}

	}

}

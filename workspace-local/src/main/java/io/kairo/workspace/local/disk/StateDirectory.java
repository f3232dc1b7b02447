package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

import io.kairo.host.OwnerOnly;

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
		try {
			OwnerOnly.require(this.path);
		}
		catch (NoSuchFileException ex) {
			// It is created when it is first used.
		}
	}

	/**
	 * Creates a directory in it if that is missing.
	 * @return the directory
	 * @throws IOException if it cannot be created, or is unsafe
	 */
	Path create(String name) throws IOException {
		return secure(create().resolve(name));
	}

	/**
	 * Returns the path of a file in it, creating the directory itself if it is missing.
	 * @return the path of a regular file, or of nothing
	 * @throws IOException if the directory cannot be created, or one of them is unsafe
	 */
	Path file(String name) throws IOException {
		Path file = create().resolve(name);
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

}

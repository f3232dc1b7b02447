package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.kairo.workspace.local.OwnerOnly;

/**
 * The directory of the store's own state, made when it is needed and for its owner only.
 *
 * @param path where it is
 */
public record StateDirectory(Path path) {

	/**
	 * Creates the directory where it is missing.
	 */
	public Path create() throws IOException {
		return create(this.path);
	}

	/**
	 * Creates a directory in it where that is missing.
	 */
	Path create(String name) throws IOException {
		return create(create().resolve(name));
	}

	private static Path create(Path directory) throws IOException {
		if (!Files.isDirectory(directory)) {
			if (directory.getParent() != null) {
				Files.createDirectories(directory.getParent());
			}
			try {
				Files.createDirectory(directory, OwnerOnly.of(directory));
			}
			catch (FileAlreadyExistsException ex) {
				// By somebody else, just now.
			}
		}
		return directory;
	}

}

package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.host.OwnerOnly;

/**
 * The state directory of the store, created on demand with access for its owner only.
 *
 * @param path the path of the directory
 */
public record StateDirectory(Path path) {

	/**
	 * Creates the directory if it is missing.
	 * @return the directory
	 * @throws IOException if it cannot be created
	 */
	public Path create() throws IOException {
		return OwnerOnly.createDirectory(this.path);
	}

	/**
	 * Creates a directory in it if that is missing.
	 */
	Path create(String name) throws IOException {
		return OwnerOnly.createDirectory(create().resolve(name));
	}

}

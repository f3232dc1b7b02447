package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;

import io.kairo.host.OwnerOnly;

/**
 * The directory of the store's own state, created with mode 0700 when it is needed.
 *
 * @param path the path of the directory
 */
record StateDirectory(Path path) {

	/**
	 * Creates the directory unless it exists.
	 */
	Path create() throws IOException {
		return OwnerOnly.createDirectory(this.path);
	}

	/**
	 * Creates a directory in it unless that exists.
	 */
	Path create(String name) throws IOException {
		return OwnerOnly.createDirectory(create().resolve(name));
	}

}

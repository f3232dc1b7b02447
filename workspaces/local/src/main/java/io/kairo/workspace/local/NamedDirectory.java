package io.kairo.workspace.local;

import java.nio.file.Path;

/**
 * A directory and its path as it was configured or added.
 *
 * @param real its real path
 * @param given the path; it may contain links
 */
record NamedDirectory(Path real, Path given) {

	/**
	 * Returns a directory that exists and can be read.
	 * @param given its absolute, normalised path
	 * @throws io.kairo.api.workspace.WorkspacePathException if there is none
	 */
	static NamedDirectory of(Path given) {
		return new NamedDirectory(UsableDirectory.real(given), given);
	}

	/**
	 * Returns whether the given path is another name of the directory, and still leads to
	 * it.
	 */
	boolean hasAlias() {
		return !this.given.equals(this.real) && RealPaths.of(this.given).equals(this.real);
	}

}

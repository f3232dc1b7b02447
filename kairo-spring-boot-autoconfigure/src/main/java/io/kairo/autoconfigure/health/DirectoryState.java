package io.kairo.autoconfigure.health;

import java.io.File;
import java.nio.file.Path;

/**
 * What can be done in a directory now.
 *
 * @param there whether it is there
 * @param writable whether this process may write there
 * @param freeBytes how much it could write, 0 if that is not known
 */
record DirectoryState(boolean there, boolean writable, long freeBytes) {

	static DirectoryState of(Path path) {
		File directory = path.toFile();
		return new DirectoryState(directory.isDirectory(), directory.canWrite(), directory.getUsableSpace());
	}

}

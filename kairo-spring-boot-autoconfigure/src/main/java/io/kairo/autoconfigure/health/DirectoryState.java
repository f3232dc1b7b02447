package io.kairo.autoconfigure.health;

import java.io.File;
import java.nio.file.Path;

/**
 * The current state of a directory.
 *
 * @param there whether it exists
 * @param writable whether this process can write there
 * @param freeBytes the free space in bytes, 0 if unknown
 */
record DirectoryState(boolean there, boolean writable, long freeBytes) {

	static DirectoryState of(Path path) {
		File directory = path.toFile();
		return new DirectoryState(directory.isDirectory(), directory.canWrite(), directory.getUsableSpace());
	}

}

package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * Does something on disk.
 */
@FunctionalInterface
interface DiskAction {

	void run() throws IOException;

	/**
	 * Tries something that need not be done where there is nothing any more.
	 * @return whether it is done
	 */
	static boolean attempt(DiskAction action) {
		try {
			action.run();
			return true;
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

}

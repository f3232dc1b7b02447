package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * An action on disk.
 */
@FunctionalInterface
interface DiskAction {

	void run() throws IOException;

	/**
	 * Attempts an action that is unnecessary if the entry no longer exists.
	 * @return whether it succeeded or was unnecessary
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

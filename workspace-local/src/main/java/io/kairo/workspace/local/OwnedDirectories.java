package io.kairo.workspace.local;

import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Directories that stay open together. A batch of many changes in the same directory is
 * to have it open once. For use by one thread.
 */
final class OwnedDirectories implements Closeable {

	private final Map<String, OpenDirectory> directories = new HashMap<>();

	/**
	 * Takes a directory over, or closes it where the same one is open already.
	 * @return the directory to use
	 */
	OpenDirectory add(OpenDirectory directory) throws IOException {
		try {
			String key = Spot.identity(directory.self()) + directory.path();
			OpenDirectory known = this.directories.putIfAbsent(key, directory);
			if (known == null) {
				return directory;
			}
			directory.close();
			return known;
		}
		catch (IOException ex) {
			directory.close();
			throw ex;
		}
	}

	@Override
	public void close() throws IOException {
		for (OpenDirectory directory : this.directories.values()) {
			directory.close();
		}
	}

}

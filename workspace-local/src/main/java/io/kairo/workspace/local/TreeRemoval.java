package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes an entry with all that is below it, each directory opened in the one above and
 * no link followed.
 */
final class TreeRemoval {

	/** How often a directory may gain entries while it is emptied. */
	private static final int ATTEMPTS = 4;

	private TreeRemoval() {
	}

	/**
	 * Removes what is at a spot, if something is.
	 */
	static void remove(Spot spot) throws IOException {
		remove(spot.directory(), spot.name(), 0);
	}

	private static void remove(OpenDirectory parent, Path name, int depth) throws IOException {
		BasicFileAttributes attributes = parent.find(name);
		if (attributes == null) {
			return;
		}
		try {
			if (attributes.isDirectory()) {
				removeDirectory(parent, name, depth);
			}
			else {
				parent.deleteFile(name);
			}
		}
		catch (NoSuchFileException ex) {
			// Somebody else removed it.
		}
	}

	private static void removeDirectory(OpenDirectory parent, Path name, int depth) throws IOException {
		if (depth > TreeWalk.MAX_DEPTH) {
			throw new IOException("more than " + TreeWalk.MAX_DEPTH + " directories deep");
		}
		for (int attempt = 1;; attempt++) {
			try (OpenDirectory directory = parent.directory(name)) {
				for (Path child : names(directory)) {
					remove(directory, child, depth + 1);
				}
			}
			try {
				parent.deleteDirectory(name);
				return;
			}
			catch (DirectoryNotEmptyException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Returns the names in a directory, read before anything in it changes.
	 */
	static List<Path> names(OpenDirectory directory) throws IOException {
		List<Path> names = new ArrayList<>();
		try {
			directory.names().forEachRemaining(names::add);
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return names;
	}

}

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Finds out whether a tree is too deep to go somewhere.
 */
final class TreeDepth {

	private TreeDepth() {
	}

	/**
	 * Returns whether more names than a number lead from a directory to something in it.
	 */
	static boolean isMoreThan(int names, Spot spot) throws IOException {
		return isMoreThan(names, spot.directory(), spot.name());
	}

	private static boolean isMoreThan(int names, OpenDirectory parent, Path name) throws IOException {
		try (OpenDirectory directory = parent.directory(name)) {
			for (Path child : TreeRemoval.names(directory)) {
				if (names == 0) {
					return true;
				}
				BasicFileAttributes attributes = directory.find(child);
				if (attributes != null && attributes.isDirectory() && isMoreThan(names - 1, directory, child)) {
					return true;
				}
			}
			return false;
		}
		catch (NoSuchFileException | AccessDeniedException ex) {
			return false; // nothing can be known of it
		}
	}

}

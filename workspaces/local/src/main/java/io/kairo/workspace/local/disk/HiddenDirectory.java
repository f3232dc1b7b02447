package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

import io.kairo.workspace.local.RealPaths;
import org.jspecify.annotations.Nullable;

/**
 * The state directory of the store. Inside a root, it is hidden from the workspace.
 *
 * @param path its real path, null if there is no state directory
 * @param key the text of its file key, identifying it under any path; null if it does not
 * exist
 */
record HiddenDirectory(@Nullable Path path, @Nullable String key) {

	static final HiddenDirectory NONE = new HiddenDirectory(null, null);

	static HiddenDirectory of(@Nullable Path directory) {
		if (directory == null) {
			return NONE;
		}
		Path real = RealPaths.of(directory.toAbsolutePath().normalize());
		try {
			Object key = Files.readAttributes(real, BasicFileAttributes.class).fileKey();
			return new HiddenDirectory(real, (key != null) ? key.toString() : null);
		}
		catch (IOException ex) {
			return new HiddenDirectory(real, null);
		}
	}

	/**
	 * Returns whether this directory is in one of the roots, from where commands and
	 * changes of their workspace may move it.
	 */
	boolean isIn(List<Path> roots) {
		if (this.path != null) {
			for (Path root : roots) {
				if (this.path.startsWith(root)) {
					return true;
				}
			}
		}
		return false;
	}

	/**
	 * Returns whether an entry is this directory.
	 * @param physical the path of the entry, without links
	 */
	boolean is(Path physical) {
		return physical.equals(this.path);
	}

	/**
	 * Returns whether an entry is this directory.
	 * @param physical the path of the entry, without links
	 * @param attributes the attributes of the entry
	 */
	boolean is(Path physical, BasicFileAttributes attributes) {
		return this.path != null && attributes.isDirectory()
				&& (is(physical) || (this.key != null && this.key.equals(String.valueOf(attributes.fileKey()))));
	}

	/**
	 * Returns whether the inner path is inside this directory and the outer path is not.
	 */
	boolean isBetween(Path outer, Path inner) {
		return this.path != null && inner.startsWith(this.path) && !outer.startsWith(this.path);
	}

}

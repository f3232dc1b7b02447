package io.kairo.workspace.local.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.workspace.local.RealPaths;
import org.jspecify.annotations.Nullable;

/**
 * The state directory of the store. Inside a root, it is hidden from the workspace.
 *
 * @param path its real path, null if there is no state directory
 * @param key its file key, which identifies it under any path; null if it does not exist
 */
record HiddenDirectory(@Nullable Path path, @Nullable Object key) {

	static final HiddenDirectory NONE = new HiddenDirectory(null, null);

	static HiddenDirectory of(@Nullable Path directory) {
		if (directory == null) {
			return NONE;
		}
		Path real = RealPaths.of(directory.toAbsolutePath().normalize());
		try {
			return new HiddenDirectory(real, Files.readAttributes(real, BasicFileAttributes.class).fileKey());
		}
		catch (IOException ex) {
			return new HiddenDirectory(real, null);
		}
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
				&& (is(physical) || (this.key != null && this.key.equals(attributes.fileKey())));
	}

	/**
	 * Returns whether the inner path is inside this directory and the outer path is not.
	 */
	boolean isBetween(Path outer, Path inner) {
		return this.path != null && inner.startsWith(this.path) && !outer.startsWith(this.path);
	}

}

package io.kairo.workspace.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.workspace.local.RealPaths;
import org.jspecify.annotations.Nullable;

/**
 * The directory of the store's own state. Where it lies inside a root, it is not there
 * for a workspace.
 *
 * @param path its real path, null if there is none
 * @param key what identifies it by whichever path it is met; null if it does not exist
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
	 * @param physical its path without links
	 */
	boolean is(Path physical) {
		return physical.equals(this.path);
	}

	/**
	 * Returns whether an entry is this directory.
	 * @param physical its path without links
	 * @param attributes its attributes
	 */
	boolean is(Path physical, BasicFileAttributes attributes) {
		return this.path != null && attributes.isDirectory()
				&& (is(physical) || (this.key != null && this.key.equals(attributes.fileKey())));
	}

	/**
	 * Returns whether this directory has one of the paths inside it and the other not.
	 */
	boolean isBetween(Path outer, Path inner) {
		return this.path != null && inner.startsWith(this.path) && !outer.startsWith(this.path);
	}

}

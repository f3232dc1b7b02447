package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Finds real paths also of what does not exist yet: the real path of the nearest
 * directory above that does, and the rest as it is.
 */
public final class RealPaths {

	private RealPaths() {
	}

	/**
	 * Finds the real path.
	 * @param path an absolute path
	 * @return the real path; null if {@code ..} follows something that does not exist
	 */
	public static @Nullable Path find(Path path) {
		Path above = path;
		while (true) {
			try {
				Path real = above.toRealPath();
				return above.equals(path) ? real
						: withRest(real, path.subpath(above.getNameCount(), path.getNameCount()));
			}
			catch (IOException ex) {
				Path parent = above.getParent();
				if (parent == null) {
					return null;
				}
				above = parent;
			}
		}
	}

	/**
	 * Finds the real path of a normalised path.
	 */
	public static Path of(Path path) {
		Path real = find(path);
		return (real != null) ? real : path;
	}

	private static @Nullable Path withRest(Path real, Path rest) {
		Path normalised = rest.normalize();
		return normalised.equals(rest) ? real.resolve(rest) : null;
	}

}

package io.kairo.workspace.local;

import java.io.IOException;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * Finds real paths. That of a missing entry is the real path of the nearest existing
 * directory above, followed by the remaining names.
 */
public final class RealPaths {

	private RealPaths() {
	}

	/**
	 * Finds the real path.
	 * @param path an absolute path
	 * @return the real path; null if {@code ..} follows a missing entry
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
	 * @param path an absolute, normalised path
	 * @return the real path
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

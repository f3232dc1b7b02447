package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A directory of the host that a command sees.
 *
 * @param source its real path on the host
 * @param asked its path on the host as it was asked for, absolute and normalized
 * @param target where the command sees it
 * @param writable whether the command may change it
 */
record Root(Path source, Path asked, Path target, boolean writable) {

	/**
	 * Returns where the command sees a path of the host.
	 * @param path an absolute path
	 * @return null if it lies outside of this root
	 */
	@Nullable Path toTarget(Path path) {
		Path normal = path.normalize();
		for (Path prefix : new Path[] { this.asked, this.source }) {
			if (normal.startsWith(prefix)) {
				return resolve(this.target, prefix.relativize(normal));
			}
		}
		return null;
	}

	/**
	 * Returns which path of the host a command sees somewhere.
	 * @param path an absolute path
	 * @return null if it lies outside of this root
	 */
	@Nullable Path toSource(Path path) {
		return path.startsWith(this.target) ? resolve(this.source, this.target.relativize(path)) : null;
	}

	private static Path resolve(Path directory, Path relative) {
		return relative.toString().isEmpty() ? directory : directory.resolve(relative);
	}

}

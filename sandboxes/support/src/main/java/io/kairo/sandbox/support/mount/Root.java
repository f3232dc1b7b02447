package io.kairo.sandbox.support.mount;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * A directory of the host that is mounted for a command.
 *
 * @param source the real path on the host
 * @param asked the requested path on the host, absolute and normalized
 * @param target the path in the sandbox
 * @param writable whether the command may change it
 */
public record Root(Path source, Path asked, Path target, boolean writable) {

	/**
	 * Returns the path in the sandbox of a path on the host.
	 * @param path an absolute path
	 * @return the path, or null if it lies outside of this root
	 */
	public @Nullable Path toTarget(Path path) {
		Path normal = path.normalize();
		for (Path prefix : new Path[] { this.asked, this.source }) {
			if (normal.startsWith(prefix)) {
				return resolve(this.target, prefix.relativize(normal));
			}
		}
		return null;
	}

	/**
	 * Returns the path on the host of a path in the sandbox.
	 * @param path an absolute path
	 * @return the path, or null if it lies outside of this root
	 */
	@Nullable Path toSource(Path path) {
		return path.startsWith(this.target) ? resolve(this.source, this.target.relativize(path)) : null;
	}

	private static Path resolve(Path directory, Path relative) {
		return relative.toString().isEmpty() ? directory : directory.resolve(relative);
	}

}

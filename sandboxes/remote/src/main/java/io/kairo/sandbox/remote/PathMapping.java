package io.kairo.sandbox.remote;

import java.nio.file.Path;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A directory that this machine and a worker share, such as a volume that both mount.
 * Immutable.
 *
 * @param local the directory on this machine, absolute
 * @param remote the same directory on the worker, absolute
 */
public record PathMapping(Path local, String remote) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if one of them is not absolute
	 */
	public PathMapping {
		Objects.requireNonNull(local, "local");
		if (!local.isAbsolute() || !remote.startsWith("/")) {
			throw new IllegalArgumentException("The directory " + local + ", or " + remote
					+ " on the worker, is not absolute: give the whole path of both");
		}
		local = local.normalize();
	}

	/**
	 * Returns the path of a worker that stands for a path of this machine.
	 * @return null if it is not in the directory
	 */
	@Nullable String toRemote(Path path) {
		Path normal = path.toAbsolutePath().normalize();
		return normal.startsWith(this.local)
				? Path.of(this.remote).resolve(this.local.relativize(normal)).normalize().toString() : null;
	}

	/**
	 * Returns the path of this machine that stands for a path of a worker.
	 * @return null if it is not in the directory
	 */
	@Nullable Path toLocal(String path) {
		Path far = Path.of(path).normalize();
		Path root = Path.of(this.remote);
		return far.startsWith(root) ? this.local.resolve(root.relativize(far)).normalize() : null;
	}

}

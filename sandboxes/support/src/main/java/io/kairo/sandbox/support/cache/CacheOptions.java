package io.kairo.sandbox.support.cache;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Options of the caches of tenants: directories in the home directory of commands that
 * are on the disk, and last from session to session. Immutable.
 *
 * @param directory the directory that contains the caches of all tenants, created if it
 * is missing. The user that commands run as must be able to enter the directories above
 * @param names the names of the directories in the home directory, such as {@code .m2},
 * copied
 * @param maxBytes the size of a tenant's caches in bytes, at least 1, from which on they
 * are removed when no command of the tenant runs, with its idle sessions
 * @param idleTimeout the time after which the caches of a tenant that has run no command
 * are removed, above zero
 * @param listener is told their sizes
 */
public record CacheOptions(Path directory, List<String> names, long maxBytes, Duration idleTimeout,
		CacheListener listener) {

	private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[^/\\x00]{1,255}");

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is not that of a file, or a number or
	 * time is out of its range
	 */
	public CacheOptions {
		directory = directory.toAbsolutePath().normalize();
		names = List.copyOf(names);
		Objects.requireNonNull(listener, "listener");
		for (String name : names) {
			if (!NAME.matcher(name).matches()) {
				throw new IllegalArgumentException("'" + name
						+ "' is not the name of a directory in a home directory: name one without '/', such as .m2");
			}
		}
		if (maxBytes < 1) {
			throw new IllegalArgumentException("The size of caches is " + maxBytes + " bytes: it must be at least 1");
		}
		if (idleTimeout.isNegative() || idleTimeout.isZero()) {
			throw new IllegalArgumentException(
					"The idle timeout of caches is " + idleTimeout + ": it must be above zero");
		}
	}

}

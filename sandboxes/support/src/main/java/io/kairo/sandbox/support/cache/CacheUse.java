package io.kairo.sandbox.support.cache;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;

import io.kairo.sandbox.support.SessionResource;

/**
 * The use of a tenant's caches by a session. No sandbox of this or another JVM removes
 * them until it is closed. Safe for use by several threads.
 */
public final class CacheUse implements SessionResource {

	/**
	 * The use of no cache.
	 */
	public static final CacheUse NONE = new CacheUse(Map.of(), Map.of(), () -> {
	});

	private final Map<String, Path> directories;

	private final Map<Path, Object> keys;

	private final Runnable end;

	private CacheUse(Map<String, Path> directories, Map<Path, Object> keys, Runnable end) {
		this.directories = directories;
		this.keys = keys;
		this.end = end;
	}

	/**
	 * Creates a use.
	 * @param directories the directories by their names
	 * @param end ends the use
	 */
	static CacheUse of(Map<String, Path> directories, Runnable end) throws IOException {
		Map<Path, Object> keys = new HashMap<>();
		for (Path directory : directories.values()) {
			keys.put(directory, key(directory));
		}
		return new CacheUse(directories, keys, end);
	}

	private static Object key(Path directory) throws IOException {
		BasicFileAttributes attributes = Files.readAttributes(directory, BasicFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		Object key = attributes.fileKey();
		return (key != null) ? key : attributes.creationTime();
	}

	/**
	 * Returns the caches.
	 * @return the real paths of their directories, by the names in the home directory
	 */
	public Map<String, Path> directories() {
		return this.directories;
	}

	/**
	 * Returns whether the directories are still those of the beginning.
	 */
	@Override
	public boolean isUsable() {
		try {
			for (Map.Entry<Path, Object> each : this.keys.entrySet()) {
				if (!key(each.getKey()).equals(each.getValue())) {
					return false;
				}
			}
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		this.end.run();
	}

}

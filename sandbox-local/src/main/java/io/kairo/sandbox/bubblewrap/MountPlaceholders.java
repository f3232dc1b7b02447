package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;

import io.kairo.host.MountPoint;
import org.jspecify.annotations.Nullable;

/**
 * Empty files and directories in the place of protected paths that do not exist, since a
 * mount needs a mount point. File tools do not show the directories. A placeholder is
 * removed when the last command that needs it has ended; earlier removal would lift the
 * mount of another command. Placeholders are created and removed in the intended
 * directory even while its parents are being swapped. Safe for use by several threads. A
 * second JVM that works in the same directory is not taken into account.
 */
final class MountPlaceholders {

	private static final Logger logger = System.getLogger(MountPlaceholders.class.getName());

	private final Map<Path, Placeholder> placeholders = new HashMap<>();

	/**
	 * Creates an empty file, unless the path exists.
	 * @return whether the placeholder has to be {@linkplain #release(Path) released}
	 * @throws IOException if the file cannot be created
	 */
	boolean file(Path path) throws IOException {
		return acquire(path, Files::createFile);
	}

	/**
	 * Creates an empty directory, unless the path exists.
	 * @return whether the placeholder has to be {@linkplain #release(Path) released}
	 * @throws IOException if the directory cannot be created
	 */
	boolean directory(Path path) throws IOException {
		return acquire(path, MountPlaceholders::createMarked);
	}

	/**
	 * Creates a directory that file tools do not show.
	 */
	private static Path createMarked(Path path, FileAttribute<?>... attributes) throws IOException {
		Files.createDirectory(path, attributes);
		try {
			MountPoint.mark(path);
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "The file system does not keep the mark of a placeholder", ex);
		}
		return path;
	}

	private synchronized boolean acquire(Path path, Creation creation) throws IOException {
		Placeholder known = this.placeholders.get(path);
		if (known != null && (known.users() > 0 || isStillThere(path, known))) {
			this.placeholders.put(path, new Placeholder(known.key(), known.users() + 1));
			return true;
		}
		if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			creation.create(there);
			this.placeholders.put(path, new Placeholder(attributes(there).fileKey(), 1));
			return true;
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
	}

	private static boolean isStillThere(Path path, Placeholder known) {
		try {
			return known.key() != null && known.key().equals(attributes(path).fileKey());
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Releases a placeholder for one command. The last command removes it. If a command
	 * has revoked the access to the directory, the next command that needs the
	 * placeholder does so.
	 */
	synchronized void release(Path path) {
		Placeholder placeholder = this.placeholders.remove(path);
		if (placeholder == null) {
			return;
		}
		if (placeholder.users() > 1) {
			this.placeholders.put(path, new Placeholder(placeholder.key(), placeholder.users() - 1));
			return;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			BasicFileAttributes now = attributes(there);
			boolean untouched = now.isDirectory() || (now.isRegularFile() && now.size() == 0);
			if (untouched && placeholder.key() != null && placeholder.key().equals(now.fileKey())) {
				Files.delete(there);
			}
		}
		catch (AccessDeniedException ex) {
			this.placeholders.put(path, new Placeholder(placeholder.key(), 0));
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A placeholder was already removed or is in use", ex);
		}
	}

	private static BasicFileAttributes attributes(Path path) throws IOException {
		return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Creates a file or a directory.
	 */
	private interface Creation {

		Object create(Path path, FileAttribute<?>... attributes) throws IOException;

	}

	/**
	 * A placeholder.
	 *
	 * @param key the identity of the file, to recognize a replacement
	 * @param users number of commands that need it
	 */
	private record Placeholder(@Nullable Object key, int users) {

	}

}

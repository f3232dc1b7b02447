package io.kairo.sandbox.bubblewrap;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The empty files and directories that stand where a protected path does not exist: there
 * has to be something to mount on. They go when the last command that needs them has
 * ended; to remove one earlier would lift the mount of another command. They are made and
 * removed where they are to be, also while somebody swaps the directories above. Safe for
 * use by several threads; a second JVM that works in the same directory is not known to
 * it.
 */
final class MountPlaceholders {

	private static final Logger logger = System.getLogger(MountPlaceholders.class.getName());

	private final Map<Path, Placeholder> placeholders = new HashMap<>();

	/**
	 * Makes an empty file, unless there is something.
	 * @return whether it is to be {@linkplain #release(Path) released}
	 * @throws IOException if it cannot be made
	 */
	boolean file(Path path) throws IOException {
		return acquire(path, Files::createFile);
	}

	/**
	 * Makes an empty directory, unless there is something.
	 * @return whether it is to be {@linkplain #release(Path) released}
	 * @throws IOException if it cannot be made
	 */
	boolean directory(Path path) throws IOException {
		return acquire(path, Files::createDirectory);
	}

	private synchronized boolean acquire(Path path, Creation creation) throws IOException {
		Placeholder known = this.placeholders.get(path);
		if (known != null) {
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

	/**
	 * Says that a command does not need a placeholder any more.
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
		catch (IOException ex) {
			logger.log(Level.TRACE, "A placeholder is gone already or in use", ex);
		}
	}

	private static BasicFileAttributes attributes(Path path) throws IOException {
		return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Makes something.
	 */
	private interface Creation {

		Object create(Path path, FileAttribute<?>... attributes) throws IOException;

	}

	/**
	 * What stands somewhere.
	 *
	 * @param key tells it from something else that got there
	 * @param users how many commands need it
	 */
	private record Placeholder(@Nullable Object key, int users) {

	}

}

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
final class Masks {

	private static final Logger logger = System.getLogger(Masks.class.getName());

	private final Map<Path, Mask> masks = new HashMap<>();

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
		Mask known = this.masks.get(path);
		if (known != null) {
			this.masks.put(path, new Mask(known.key(), known.users() + 1));
			return true;
		}
		if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			creation.create(there);
			this.masks.put(path, new Mask(attributes(there).fileKey(), 1));
			return true;
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
	}

	/**
	 * Says that a command does not need a mask any more.
	 */
	synchronized void release(Path path) {
		Mask mask = this.masks.remove(path);
		if (mask == null) {
			return;
		}
		if (mask.users() > 1) {
			this.masks.put(path, new Mask(mask.key(), mask.users() - 1));
			return;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			BasicFileAttributes now = attributes(there);
			boolean untouched = now.isDirectory() || (now.isRegularFile() && now.size() == 0);
			if (untouched && mask.key() != null && mask.key().equals(now.fileKey())) {
				Files.delete(there);
			}
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A mask is gone already or in use", ex);
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
	private record Mask(@Nullable Object key, int users) {

	}

}

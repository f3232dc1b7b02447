package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.host.MountPoint;
import io.kairo.host.PrivateDirectory;
import org.jspecify.annotations.Nullable;

/**
 * Empty files and directories in the place of protected paths that do not exist, since a
 * mount needs a mount point. File tools do not show the directories. A placeholder is
 * removed when the last command that needs it has ended; earlier removal would lift the
 * mount of another command. Where mounts outlive a command, it is moved aside instead,
 * and back for the next command: mounts on it move with it. Placeholders are created and
 * removed in the intended directory even while its parents are being swapped. Safe for
 * use by several threads. A second JVM that works in the same directory is not taken into
 * account.
 */
public final class MountPlaceholders {

	private static final Logger logger = System.getLogger(MountPlaceholders.class.getName());

	private final Map<Path, Placeholder> placeholders = new HashMap<>();

	private final @Nullable PrivateDirectory aside;

	/**
	 * Creates the placeholders of one sandbox, shared by all its commands.
	 */
	public MountPlaceholders() {
		this(null);
	}

	/**
	 * Creates the placeholders of one sandbox whose mounts outlive a command.
	 * @param aside the directory for placeholders that no command needs; placeholders on
	 * another file system are removed instead
	 */
	public MountPlaceholders(@Nullable PrivateDirectory aside) {
		this.aside = aside;
	}

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
		Placeholder known = this.placeholders.getOrDefault(path, Placeholder.NONE);
		if (known.aside() == null && isStillThere(path, known)) {
			this.placeholders.put(path, known.used(1));
			return true;
		}
		if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
			return false;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			if (known.aside() != null) {
				Files.move(known.aside(), there, StandardCopyOption.ATOMIC_MOVE);
			}
			else {
				creation.create(there);
			}
			this.placeholders.put(path, known.at(attributes(there).fileKey(), null).used(1));
			return true;
		}
		catch (FileAlreadyExistsException ex) {
			return false;
		}
	}

	/**
	 * Keeps a placeholder, and the mounts on it, beyond the commands that need it.
	 */
	synchronized void keep(Path path) {
		this.placeholders.computeIfPresent(path, (same, placeholder) -> placeholder.kept(1));
	}

	/**
	 * Ends the effect of one call of {@link #keep(Path)}.
	 */
	synchronized void unkeep(Path path) {
		Placeholder placeholder = this.placeholders.computeIfPresent(path, (same, before) -> before.kept(-1));
		if (placeholder != null && placeholder.keepers() == 0 && placeholder.aside() != null) {
			this.placeholders.remove(path);
			if (!placeholder.aside().toFile().delete()) {
				logger.log(Level.DEBUG, "A placeholder that was moved aside could not be removed");
			}
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
	 * Releases a placeholder for one command. The last command removes it, or moves it
	 * aside if it is kept. If a command has revoked the access to the directory, the next
	 * command that needs the placeholder does so.
	 */
	synchronized void release(Path path) {
		Placeholder placeholder = this.placeholders.remove(path);
		if (placeholder == null) {
			return;
		}
		if (placeholder.users() > 1) {
			this.placeholders.put(path, placeholder.used(-1));
			return;
		}
		try (HeldDirectory above = HeldDirectory.open(path.resolveSibling(""))) {
			Path there = above.resolve(path.getFileName());
			if (isUntouched(there, placeholder)) {
				Path moved = (placeholder.keepers() > 0) ? moveAside(there) : null;
				if (moved != null) {
					this.placeholders.put(path, placeholder.used(-1).at(placeholder.key(), moved));
				}
				else {
					Files.delete(there);
				}
			}
		}
		catch (AccessDeniedException ex) {
			this.placeholders.put(path, placeholder.used(-1));
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A placeholder was already removed or is in use", ex);
		}
	}

	private static boolean isUntouched(Path there, Placeholder placeholder) throws IOException {
		BasicFileAttributes now = attributes(there);
		if (placeholder.key() == null || !placeholder.key().equals(now.fileKey())) {
			return false;
		}
		if (now.isDirectory()) {
			try (Stream<Path> entries = Files.list(there)) {
				return entries.findAny().isEmpty();
			}
		}
		return now.isRegularFile() && now.size() == 0;
	}

	/**
	 * Moves a placeholder aside.
	 * @return its path; null if that is on another file system, or denied
	 */
	private @Nullable Path moveAside(Path there) {
		try {
			return (this.aside != null)
					? Files.move(there, this.aside.newPath("placeholder-"), StandardCopyOption.ATOMIC_MOVE) : null;
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "A placeholder cannot be moved aside", ex);
			return null;
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
	 * @param keepers number of sets of mounts that it is kept for
	 * @param aside where it is while no command needs it; null if it is in its place
	 */
	private record Placeholder(@Nullable Object key, int users, int keepers, @Nullable Path aside) {

		static final Placeholder NONE = new Placeholder(null, 0, 0, null);

		Placeholder used(int more) {
			return new Placeholder(this.key, this.users + more, this.keepers, this.aside);
		}

		Placeholder kept(int more) {
			return new Placeholder(this.key, this.users, this.keepers + more, this.aside);
		}

		Placeholder at(@Nullable Object key, @Nullable Path aside) {
			return new Placeholder(key, this.users, this.keepers, aside);
		}

	}

}

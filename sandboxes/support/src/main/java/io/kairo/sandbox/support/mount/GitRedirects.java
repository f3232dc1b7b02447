package io.kairo.sandbox.support.mount;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Files that a command could use to make Git read another configuration than a protected
 * one: {@code commondir}, naming another directory, and the {@code HEAD} of a directory
 * that is a repository with it. No placeholder can take their place, since Git fails if
 * {@code commondir} is empty. They are therefore removed when a command ends, unless they
 * existed before all running commands. Safe for use by several threads. A second JVM that
 * works in the same directory is not taken into account.
 */
public final class GitRedirects {

	static final Path COMMONDIR = Path.of("commondir");

	static final Path HEAD = Path.of("HEAD");

	private static final Logger logger = System.getLogger(GitRedirects.class.getName());

	/** The number of commands that must not leave a file. */
	private final Map<Path, Integer> users = new HashMap<>();

	/**
	 * Creates the redirects of one sandbox, shared by all its commands.
	 */
	public GitRedirects() {
	}

	/**
	 * Forbids a command to leave a file.
	 * @param file the path of a {@link #COMMONDIR} or a {@link #HEAD}
	 * @return whether the file has to be {@linkplain #remove(Path) removed} and
	 * {@linkplain #release(Path) released}; false if it redirects Git already
	 */
	synchronized boolean forbid(Path file) {
		if (!this.users.containsKey(file) && redirects(file.resolveSibling(""), file.getFileName())) {
			return false;
		}
		this.users.merge(file, 1, Integer::sum);
		return true;
	}

	/**
	 * Removes a file if it redirects Git.
	 * @throws AccessDeniedException if the directory cannot be opened, or another user
	 * owns it
	 */
	void remove(Path file) throws AccessDeniedException {
		try (HeldDirectory above = HeldDirectory.open(file.resolveSibling(""))) {
			Path directory = above.resolve(Path.of("."));
			if (redirects(directory, file.getFileName())) {
				delete(directory, file.getFileName());
				logger.log(Level.WARNING, "Removed " + file
						+ ", by which a command made Git read another configuration than the protected one");
			}
		}
		catch (AccessDeniedException ex) {
			throw ex;
		}
		catch (IOException ex) {
			logger.log(Level.TRACE, "There is no directory for " + file + " anymore", ex);
		}
	}

	/**
	 * Ends the ban of a file for one command.
	 */
	synchronized void release(Path file) {
		this.users.computeIfPresent(file, (same, count) -> (count > 1) ? count - 1 : null);
	}

	/**
	 * Returns whether Git takes a configuration from elsewhere because of a file.
	 */
	private static boolean redirects(Path directory, Path name) {
		return isFile(directory.resolve(name)) && (name.equals(COMMONDIR) || exists(directory.resolve(COMMONDIR))
				|| (exists(directory.resolve("objects")) && exists(directory.resolve("refs"))));
	}

	private static boolean isFile(Path path) {
		return exists(path) && !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
	}

	private static boolean exists(Path path) {
		return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
	}

	private static void delete(Path directory, Path name) throws IOException {
		try {
			Files.delete(directory.resolve(name));
		}
		catch (AccessDeniedException ex) {
			Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(directory);
			Set<PosixFilePermission> writable = new HashSet<>(permissions);
			writable.add(PosixFilePermission.OWNER_WRITE);
			Files.setPosixFilePermissions(directory, writable);
			try {
				Files.delete(directory.resolve(name));
			}
			finally {
				Files.setPosixFilePermissions(directory, permissions);
			}
		}
		catch (NoSuchFileException ex) {
			logger.log(Level.TRACE, "Removed concurrently", ex);
		}
	}

}

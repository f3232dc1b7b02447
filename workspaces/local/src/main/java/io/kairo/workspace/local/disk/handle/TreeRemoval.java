package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.time.Duration;
import java.util.List;

import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Removes an entry with everything below it, to any depth. Each directory is opened in
 * the one above, and no link is followed.
 */
public final class TreeRemoval {

	/** Maximum number of attempts to empty a directory that gains entries. */
	private static final int ATTEMPTS = 4;

	/** Time allowed for directories below it to gain entries. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** Depth of the deepest directory of a workspace; a root has depth 1. */
	private static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	private TreeRemoval() {
	}

	/**
	 * Checks that access to no part of a tree is denied, before any of it is removed. The
	 * check goes no deeper than a workspace, and does not find obstacles that only show
	 * on removal, such as a mount point.
	 * @param parent the directory above
	 * @param name the name of the entry
	 * @throws AccessDeniedException if a directory must not be emptied
	 * @throws IOException if the tree cannot be read
	 */
	public static void requireRemovable(OpenDirectory parent, Path name) throws IOException {
		BasicFileAttributes attributes = parent.find(name);
		if (attributes != null && attributes.isDirectory()) {
			requireRemovable(parent, name, 1);
		}
	}

	private static void requireRemovable(OpenDirectory parent, Path name, int depth) throws IOException {
		try (OpenDirectory directory = parent.directory(name)) {
			List<Path> names = directory.list();
			if (!names.isEmpty()) {
				requireWritable(directory.path());
			}
			for (Path child : names) {
				BasicFileAttributes attributes = directory.find(child);
				if (attributes != null && attributes.isDirectory() && depth < MAX_DEPTH) {
					requireRemovable(directory, child, depth + 1);
				}
			}
		}
		catch (NoSuchFileException ex) {
			// Removed concurrently.
		}
	}

	/**
	 * Asks the operating system, since it takes read-only mounts and access control lists
	 * into account.
	 */
	private static void requireWritable(Path directory) throws IOException {
		try {
			directory.getFileSystem().provider().checkAccess(directory, AccessMode.WRITE);
		}
		catch (AccessDeniedException ex) {
			throw ex;
		}
		catch (IOException ex) {
			// The path no longer exists, or is too long for the check.
		}
	}

	/**
	 * Removes an entry if it exists. Continues after a failure, so that as little as
	 * possible is left.
	 * @param parent the directory above
	 * @param name the name of the entry
	 * @throws IOException the first failure
	 */
	public static void remove(OpenDirectory parent, Path name) throws IOException {
		try {
			BasicFileAttributes attributes = parent.find(name);
			if (attributes != null && attributes.isDirectory()) {
				removeDirectory(parent, name, attributes);
			}
			else if (attributes != null) {
				parent.deleteFile(name);
			}
		}
		catch (NoSuchFileException ex) {
			// Removed concurrently.
		}
	}

	private static void removeDirectory(OpenDirectory parent, Path name, BasicFileAttributes attributes)
			throws IOException {
		if (attributes instanceof PosixFileAttributes posix && !TreeErasure.isPermitted(posix)) {
			parent.permitOwner(name);
		}
		for (int attempt = 1;; attempt++) {
			try (OpenDirectory directory = parent.directory(name)) {
				empty(directory, name);
			}
			try {
				parent.deleteDirectory(name);
				return;
			}
			catch (DirectoryNotEmptyException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Removes the entries of a directory. Directories that are too deep are moved into it
	 * meanwhile, so that after a crash they are nowhere else.
	 */
	private static void empty(OpenDirectory directory, Path prefix) throws IOException {
		IOException failure = null;
		for (Path child : directory.list()) {
			try {
				// By handle only, as commands may swap entries that they can see.
				new TreeErasure(directory, PATIENCE, OpenDirectory::permitOwner).erase(child, prefix);
			}
			catch (IOException ex) {
				failure = first(failure, ex);
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	private static IOException first(@Nullable IOException first, IOException next) {
		if (first == null) {
			return next;
		}
		first.addSuppressed(next);
		return first;
	}

}

package io.kairo.workspace.disk.handle;

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

import io.kairo.workspace.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Removes an entry with all that is below it, however deep, each directory opened in the
 * one above and no link followed.
 */
public final class TreeRemoval {

	/** How often a directory may gain entries while it is emptied. */
	private static final int ATTEMPTS = 4;

	/** How long those below it may. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** Depth of the deepest directory of a workspace; a root has depth 1. */
	private static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	private TreeRemoval() {
	}

	/**
	 * Makes sure that nothing keeps a tree from being removed, before anything of it is:
	 * as far as access is denied, and no deeper than a workspace goes. What shows only
	 * when it is removed, such as a mount point, is not found.
	 * @throws AccessDeniedException if a directory must not be emptied
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
			// Somebody else removed it.
		}
	}

	/**
	 * Asks the operating system, which knows also of read-only mounts and lists of
	 * access.
	 */
	private static void requireWritable(Path directory) throws IOException {
		try {
			directory.getFileSystem().provider().checkAccess(directory, AccessMode.WRITE);
		}
		catch (AccessDeniedException ex) {
			throw ex;
		}
		catch (IOException ex) {
			// It has no such path any more, or a longer one than can be asked about.
		}
	}

	/**
	 * Removes what is at a spot, if something is. Goes on after a failure, so that as
	 * little as possible is left.
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
			// Somebody else removed it.
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
	 * Removes what is in a directory. What is too deep gets a name in it meanwhile, so
	 * that it is nowhere else after a crash.
	 */
	private static void empty(OpenDirectory directory, Path prefix) throws IOException {
		IOException failure = null;
		for (Path child : directory.list()) {
			try {
				// By handle only: commands may swap what they can see.
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

package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.kairo.workspace.local.path.PathSyntax;
import org.jspecify.annotations.Nullable;

/**
 * Removes an entry with everything below it: also read-only directories, trees that are
 * deeper than the number of available handles, and entries that other processes still add
 * for a while. Each directory is opened in the one above, and no link is followed. For
 * use by one thread.
 */
public final class TreeRemoval {

	/** Maximum number of directories open at a time. */
	private static final int MAX_OPEN = 64;

	/** Maximum number of attempts to empty the top of a tree that gains entries. */
	private static final int ATTEMPTS = 4;

	/** Time allowed for directories of a workspace to gain entries. */
	private static final Duration PATIENCE = Duration.ofMillis(500);

	/** Time allowed for directories of a tree that is no longer in use. */
	private static final Duration UNUSED_PATIENCE = Duration.ofSeconds(2);

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

	/** Depth of the deepest directory of a workspace; a root has depth 1. */
	private static final int MAX_DEPTH = 1 + PathSyntax.MAX_NAMES;

	private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

	private final OpenDirectory home;

	private final Path prefix;

	private final boolean unused;

	private final long deadline;

	/** Directories that were too deep and have been moved to {@link #home}. */
	private final Deque<Path> raised = new ArrayDeque<>();

	private TreeRemoval(OpenDirectory home, Path prefix, boolean unused) {
		this.home = home;
		this.prefix = prefix;
		this.unused = unused;
		this.deadline = System.nanoTime() + (unused ? UNUSED_PATIENCE : PATIENCE).toNanos();
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
	 * Removes an entry of a workspace if it exists. Continues after a failure, so that as
	 * little as possible is left.
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
		permit(parent, name, attributes, false);
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
				new TreeRemoval(directory, prefix, false).removeAll(child);
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

	/**
	 * Removes an entry that commands no longer use if it exists. A directory that cannot
	 * be opened is given permissions by its path.
	 * @param parent the directory above
	 * @param name the name of the entry
	 * @throws IOException if a part of it is left, with the same name or with a name that
	 * begins with it and a dot
	 */
	public static void removeUnused(OpenDirectory parent, Path name) throws IOException {
		new TreeRemoval(parent, name, true).removeAll(name);
	}

	private void removeAll(Path name) throws IOException {
		this.raised.add(name);
		for (Path next = this.raised.poll(); next != null; next = this.raised.poll()) {
			remove(this.home, next, 1);
		}
	}

	private void remove(OpenDirectory parent, Path name, int depth) throws IOException {
		BasicFileAttributes attributes = parent.find(name);
		try {
			if (attributes == null) {
				return;
			}
			if (!attributes.isDirectory()) {
				parent.deleteFile(name);
				return;
			}
			permit(parent, name, attributes, this.unused);
			if (depth == MAX_OPEN) {
				Path place = this.prefix.resolveSibling(this.prefix + "." + UUID.randomUUID());
				parent.move(name, this.home, place);
				this.raised.add(place);
			}
			else {
				removeDirectory(parent, name, depth);
			}
		}
		catch (NoSuchFileException ex) {
			// Removed concurrently.
		}
	}

	private void removeDirectory(OpenDirectory parent, Path name, int depth) throws IOException {
		while (true) {
			try (OpenDirectory directory = parent.directory(name)) {
				for (Path child : directory.list()) {
					remove(directory, child, depth + 1);
				}
			}
			try {
				parent.deleteDirectory(name);
				return;
			}
			catch (DirectoryNotEmptyException ex) {
				if (System.nanoTime() - this.deadline > 0) {
					throw ex;
				}
				LockSupport.parkNanos(PAUSE);
			}
		}
	}

	/**
	 * Ensures that a directory can be opened, emptied and moved: by its handle only while
	 * commands may swap entries that they can see.
	 */
	private static void permit(OpenDirectory parent, Path name, BasicFileAttributes attributes, boolean unused)
			throws IOException {
		if (attributes instanceof PosixFileAttributes posix && !posix.permissions().containsAll(OWNER)) {
			try {
				parent.permitOwner(name);
			}
			catch (AccessDeniedException ex) {
				if (!unused) {
					throw ex;
				}
				// Java can change a directory that it cannot open only by path; a moment
				// ago it was not a link.
				Files.setPosixFilePermissions(parent.path().resolve(name), OWNER);
			}
		}
	}

}

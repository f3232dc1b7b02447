package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Removes a directory that belongs to this process with everything in it: also read-only
 * directories, trees that are deeper than the number of available handles, and entries
 * that other processes still add for a while. No link is followed. For use by one thread.
 */
public final class TreeErasure {

	/** Maximum number of directories open at a time. */
	private static final int MAX_OPEN = 64;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

	private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
			PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

	private final OpenDirectory home;

	private final long deadline;

	private final Permission permission;

	/** Directories that were too deep and have been moved to {@link #home}. */
	private final Deque<Path> raised = new ArrayDeque<>();

	/**
	 * Creates the erasure.
	 * @param home the directory that contains the entry
	 * @param patience time to retry for while other processes add to the directory
	 * @param permission gives the permissions needed to empty a directory
	 */
	public TreeErasure(OpenDirectory home, Duration patience, Permission permission) {
		this.home = home;
		this.deadline = System.nanoTime() + patience.toNanos();
		this.permission = permission;
	}

	/**
	 * Removes an entry of the home directory.
	 * @param name the name of the entry
	 * @throws IOException if a part of it is left, with the same name or with a name that
	 * begins with it and a dot
	 */
	public void erase(Path name) throws IOException {
		erase(name, name);
	}

	/**
	 * Removes an entry of the home directory.
	 * @param name the name of the entry
	 * @param prefix prefix, followed by a dot, of the names given in the home directory
	 * to directories that are too deep
	 * @throws IOException if a part of it is left, with the same name or with a name of
	 * that prefix
	 */
	void erase(Path name, Path prefix) throws IOException {
		this.raised.add(name);
		for (Path next = this.raised.poll(); next != null; next = this.raised.poll()) {
			erase(this.home, next, 1, prefix);
		}
	}

	private void erase(OpenDirectory parent, Path name, int depth, Path top) throws IOException {
		BasicFileAttributes attributes = parent.find(name);
		try {
			if (attributes == null) {
				return;
			}
			if (!attributes.isDirectory()) {
				parent.deleteFile(name);
			}
			else if (depth == MAX_OPEN) {
				permit(parent, name, attributes);
				Path place = top.resolveSibling(top + "." + UUID.randomUUID());
				parent.move(name, this.home, place);
				this.raised.add(place);
			}
			else {
				eraseDirectory(parent, name, attributes, depth, top);
			}
		}
		catch (NoSuchFileException ex) {
			// Removed concurrently.
		}
	}

	private void eraseDirectory(OpenDirectory parent, Path name, BasicFileAttributes attributes, int depth, Path top)
			throws IOException {
		permit(parent, name, attributes);
		while (true) {
			try (OpenDirectory directory = parent.directory(name)) {
				for (Path child : directory.list()) {
					erase(directory, child, depth + 1, top);
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
	 * Ensures that a directory can be opened, emptied and moved.
	 */
	private void permit(OpenDirectory parent, Path name, BasicFileAttributes attributes) throws IOException {
		if (attributes instanceof PosixFileAttributes posix && !isPermitted(posix)) {
			this.permission.permit(parent, name);
		}
	}

	/**
	 * Returns whether the owner of a directory has all permissions.
	 */
	static boolean isPermitted(PosixFileAttributes directory) {
		return directory.permissions().containsAll(OWNER);
	}

	/**
	 * Gives the owner of a directory all permissions, for a tree that is no longer in
	 * use.
	 * @param parent the directory above
	 * @param name the name of the directory
	 * @throws IOException if the permissions cannot be set
	 */
	public static void permitByHandleOrPath(OpenDirectory parent, Path name) throws IOException {
		try {
			parent.permitOwner(name);
		}
		catch (AccessDeniedException ex) {
			// Java can change a directory that it cannot open only by path; a moment ago
			// it was not a link.
			Files.setPosixFilePermissions(parent.path().resolve(name), OWNER);
		}
	}

	/**
	 * Gives the permissions needed to empty a directory.
	 */
	@FunctionalInterface
	public interface Permission {

		/**
		 * Gives the permissions.
		 * @param parent the directory above
		 * @param name the name of the directory
		 * @throws IOException if they cannot be given
		 */
		void permit(OpenDirectory parent, Path name) throws IOException;

	}

}

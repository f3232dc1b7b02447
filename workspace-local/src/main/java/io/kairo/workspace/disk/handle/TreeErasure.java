package io.kairo.workspace.disk.handle;

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
 * Removes a directory that belongs to this process whatever is in it: also what may not
 * be written, what is deeper than handles are for, and what others still add for a while.
 * No link is followed. For use by one thread.
 */
public final class TreeErasure {

	/** How many directories are open at a time. */
	private static final int MAX_OPEN = 64;

	private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(10);

	private static final Set<PosixFilePermission> OWNER = EnumSet.of(PosixFilePermission.OWNER_READ,
			PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

	private final OpenDirectory home;

	private final long deadline;

	private final Permission permission;

	/** Directories that were too deep, by now in {@link #home}. */
	private final Deque<Path> raised = new ArrayDeque<>();

	/**
	 * Creates the erasure.
	 * @param home what the directory is in
	 * @param patience how long to go on when others add to the directory
	 * @param permission makes directories such that they can be emptied
	 */
	public TreeErasure(OpenDirectory home, Duration patience, Permission permission) {
		this.home = home;
		this.deadline = System.nanoTime() + patience.toNanos();
		this.permission = permission;
	}

	/**
	 * Removes an entry of the home.
	 * @throws IOException if something is left of it, which has its name or begins with
	 * it and a dot
	 */
	public void erase(Path name) throws IOException {
		erase(name, name);
	}

	/**
	 * Removes an entry of the home.
	 * @param name the entry
	 * @param prefix what the names begin with, followed by a dot, that directories get in
	 * the home which are too deep
	 * @throws IOException if something is left of it, by its name or by such a one
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
			// Somebody else removed it.
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
	 * Sees to it that a directory can be opened, emptied and moved.
	 */
	private void permit(OpenDirectory parent, Path name, BasicFileAttributes attributes) throws IOException {
		if (attributes instanceof PosixFileAttributes posix && !isPermitted(posix)) {
			this.permission.permit(parent, name);
		}
	}

	/**
	 * Returns whether the owner of a directory has every right to it.
	 */
	static boolean isPermitted(PosixFileAttributes directory) {
		return directory.permissions().containsAll(OWNER);
	}

	/**
	 * Gives the owner of a directory every right to it, for a tree that nobody else uses
	 * any more.
	 */
	public static void permitByHandleOrPath(OpenDirectory parent, Path name) throws IOException {
		try {
			parent.permitOwner(name);
		}
		catch (AccessDeniedException ex) {
			// Java cannot change what it cannot open, but by path: it was no link just
			// now
			Files.setPosixFilePermissions(parent.path().resolve(name), OWNER);
		}
	}

	/**
	 * Makes a directory such that it can be emptied.
	 */
	@FunctionalInterface
	public interface Permission {

		void permit(OpenDirectory parent, Path name) throws IOException;

	}

}

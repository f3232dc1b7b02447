package io.kairo.host;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The deletion of a directory with everything in it, however deep. Links are deleted and
 * never followed, not even a link that replaces a directory during the deletion, unless
 * the platform lacks {@link SecureDirectoryStream} (Linux and macOS have it). Directories
 * that their owner has no access to, as after {@code chmod 0}, are made accessible if
 * they prevent the deletion. For use by one thread.
 */
public final class TreeDeletion {

	/**
	 * Each level needs a file descriptor. Deeper directories are first moved to the top
	 * of the tree.
	 */
	private static final int MAX_DEPTH = 100;

	private static final int MAX_ATTEMPTS = 10;

	private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

	private final Predicate<String> last;

	private @Nullable IOException failure;

	/** The tree, while its content is deleted. */
	private @Nullable SecureDirectoryStream<Path> top;

	/** Whether something was moved to the top since its entries were listed. */
	private boolean moved;

	TreeDeletion(Predicate<String> last) {
		this.last = last;
	}

	/**
	 * Deletes a file or directory as far as possible. Nothing happens if it does not
	 * exist.
	 * @param tree the file or directory; the directories above it are trusted
	 * @throws IOException if something is left, such as files that another process
	 * creates in the meantime
	 */
	public static void delete(Path tree) throws IOException {
		delete(tree, (name) -> false);
	}

	/**
	 * Deletes a file or directory as {@link #delete(Path)} does, except that some files
	 * are deleted last, and only if nothing else was left so far. Platforms that lack
	 * {@link SecureDirectoryStream} have no order.
	 * @param last whether to delete the file with a name last
	 */
	static void delete(Path tree, Predicate<String> last) throws IOException {
		Path absolute = tree.toAbsolutePath();
		Path parent = Objects.requireNonNull(absolute.getParent(), "The root of a file system cannot be deleted");
		try (DirectoryStream<Path> stream = Files.newDirectoryStream(parent)) {
			if (stream instanceof SecureDirectoryStream<Path> secure) {
				TreeDeletion deletion = new TreeDeletion(last);
				deletion.delete(secure, absolute.getFileName(), 0);
				while (deletion.failure instanceof AccessDeniedException && makeAccessible(absolute, 0)) {
					deletion.failure = null;
					deletion.delete(secure, absolute.getFileName(), 0);
				}
				if (deletion.failure != null) {
					throw deletion.failure;
				}
			}
			else {
				Files.walkFileTree(absolute, new DeletingVisitor());
			}
		}
		catch (NoSuchFileException ex) {
			// It does not exist.
		}
	}

	Denied delete(SecureDirectoryStream<Path> parent, Path name, int depth) {
		try {
			BasicFileAttributeView view = parent.getFileAttributeView(name, BasicFileAttributeView.class,
					LinkOption.NOFOLLOW_LINKS);
			if (!view.readAttributes().isDirectory()) {
				parent.deleteFile(name);
			}
			else if (depth == MAX_DEPTH) {
				moveToTop(parent, name);
			}
			else {
				return deleteDirectory(parent, name, depth);
			}
		}
		catch (NoSuchFileException ex) {
			// Another process has deleted it, or it was moved.
		}
		catch (AccessDeniedException ex) {
			failed(ex);
			return Denied.PARENT;
		}
		catch (IOException ex) {
			failed(ex);
		}
		return Denied.NOTHING;
	}

	/**
	 * Deletes a directory, again if something was added meanwhile: deleting a directory
	 * in it may move directories that are too deep.
	 */
	private Denied deleteDirectory(SecureDirectoryStream<Path> parent, Path name, int depth) throws IOException {
		for (int attempt = 1;; attempt++) {
			Denied denied = deleteContent(parent, name, depth);
			if (denied != Denied.NOTHING) {
				return denied;
			}
			try {
				parent.deleteDirectory(name);
				return Denied.NOTHING;
			}
			catch (DirectoryNotEmptyException ex) {
				if (attempt == MAX_ATTEMPTS || this.failure != null) {
					throw ex;
				}
			}
		}
	}

	private Denied deleteContent(SecureDirectoryStream<Path> parent, Path name, int depth) throws IOException {
		Denied denied;
		do {
			this.moved &= depth != 0;
			denied = deleteEntries(parent, name, depth);
		}
		while (depth == 0 && this.moved);
		if (denied == Denied.ENTRY && depth > 1) {
			// the path of the entry may be too long to make it accessible there
			moveToTop(parent, name);
		}
		return (denied == Denied.PARENT) ? Denied.ENTRY : Denied.NOTHING;
	}

	/**
	 * Deletes the entries of a directory.
	 * @return whether access was denied to it, as {@link Denied#PARENT}, or to a
	 * directory in it
	 */
	private Denied deleteEntries(SecureDirectoryStream<Path> parent, Path name, int depth) throws IOException {
		Denied denied = Denied.NOTHING;
		try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
			if (depth == 0) {
				this.top = directory;
			}
			for (Path entry : entries(directory)) {
				if ((this.failure == null && !this.moved) || !isLast(entry)) {
					Denied deleted = delete(directory, entry, depth + 1);
					if (deleted == Denied.PARENT) {
						return Denied.PARENT;
					}
					denied = (deleted == Denied.ENTRY) ? deleted : denied;
				}
			}
		}
		catch (AccessDeniedException ex) {
			failed(ex);
			return Denied.PARENT;
		}
		return denied;
	}

	private List<Path> entries(SecureDirectoryStream<Path> directory) throws IOException {
		List<Path> names = new ArrayList<>();
		try {
			directory.forEach((entry) -> names.add(entry.getFileName()));
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		names.sort(Comparator.comparing(this::isLast));
		return names;
	}

	private void moveToTop(SecureDirectoryStream<Path> parent, Path name) throws IOException {
		parent.move(name, Objects.requireNonNull(this.top, "top"), Path.of(UUID.randomUUID().toString()));
		this.moved = true;
	}

	private void failed(IOException ex) {
		this.failure = (this.failure != null) ? this.failure : ex;
	}

	/**
	 * Gives the owner access to a directory and to those in it, as far as their paths are
	 * not too long. A link that replaces one of them meanwhile makes another directory of
	 * the same owner accessible to that owner.
	 * @return whether a directory was made accessible
	 */
	private static boolean makeAccessible(Path directory, int depth) {
		try {
			PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class,
					LinkOption.NOFOLLOW_LINKS);
			if (!attributes.isDirectory()) {
				return false;
			}
			Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
			permissions.addAll(attributes.permissions());
			boolean changed = !permissions.equals(attributes.permissions());
			if (changed) {
				Files.setPosixFilePermissions(directory, permissions);
			}
			boolean below = depth < MAX_DEPTH && makeEntriesAccessible(directory, depth);
			return changed || below;
		}
		catch (IOException ex) {
			return false; // the deletion fails with the reason
		}
	}

	private static boolean makeEntriesAccessible(Path directory, int depth) throws IOException {
		boolean changed = false;
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
			for (Path entry : entries) {
				changed |= makeAccessible(entry, depth + 1);
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return changed;
	}

	private boolean isLast(Path name) {
		return this.last.test(name.toString());
	}

	/**
	 * The directory that access was denied to.
	 */
	enum Denied {

		/** None. */
		NOTHING,

		/** The entry itself. */
		ENTRY,

		/** The directory that the entry is in. */
		PARENT

	}

	/**
	 * The deletion on platforms that cannot open a directory relative to another one.
	 */
	private static final class DeletingVisitor extends SimpleFileVisitor<Path> {

		@Override
		public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
			Files.deleteIfExists(file);
			return FileVisitResult.CONTINUE;
		}

		@Override
		public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException ex) throws IOException {
			Files.deleteIfExists(directory);
			return FileVisitResult.CONTINUE;
		}

	}

}

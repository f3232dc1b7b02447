package io.kairo.host;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
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
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * The deletion of a directory with everything in it. Links are deleted and never
 * followed, not even a link that replaces a directory during the deletion, unless the
 * platform lacks {@link SecureDirectoryStream} (Linux and macOS have it). Directories
 * that their owner has no access to, as after {@code chmod 0}, are made accessible if
 * they prevent the deletion. For use by one thread.
 *
 * @since 0.1.0
 */
public final class TreeDeletion {

	/** Each level needs a file descriptor. */
	private static final int MAX_DEPTH = 1000;

	private static final Set<PosixFilePermission> OWNER = PosixFilePermissions.fromString("rwx------");

	private final Predicate<String> last;

	private @Nullable IOException failure;

	private TreeDeletion(Predicate<String> last) {
		this.last = last;
	}

	/**
	 * Deletes a file or directory as far as possible. Nothing happens if it does not
	 * exist.
	 * @param tree the file or directory; the directories above it are trusted
	 * @throws IOException if something is left, such as directories nested deeper than
	 * 1000 levels, or files that another process creates in the meantime
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
				if (deletion.failure instanceof AccessDeniedException) {
					makeAccessible(absolute, 0);
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

	private void delete(SecureDirectoryStream<Path> parent, Path name, int depth) {
		try {
			BasicFileAttributeView view = parent.getFileAttributeView(name, BasicFileAttributeView.class,
					LinkOption.NOFOLLOW_LINKS);
			if (!view.readAttributes().isDirectory()) {
				parent.deleteFile(name);
				return;
			}
			deleteContent(parent, name, depth);
			parent.deleteDirectory(name);
		}
		catch (NoSuchFileException ex) {
			// Another process has deleted it.
		}
		catch (IOException ex) {
			this.failure = (this.failure != null) ? this.failure : ex;
		}
	}

	private void deleteContent(SecureDirectoryStream<Path> parent, Path name, int depth) throws IOException {
		if (depth == MAX_DEPTH) {
			throw new IOException("Directories are nested deeper than " + MAX_DEPTH + " levels");
		}
		try (SecureDirectoryStream<Path> directory = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
			List<Path> names = new ArrayList<>();
			directory.forEach((entry) -> names.add(entry.getFileName()));
			names.sort(Comparator.comparing(this::isLast));
			for (Path entry : names) {
				if (this.failure == null || !isLast(entry)) {
					delete(directory, entry, depth + 1);
				}
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

	/**
	 * Gives the owner access to a directory and to those in it. A link that replaces one
	 * of them meanwhile makes another directory of the same owner accessible to that
	 * owner.
	 */
	private static void makeAccessible(Path directory, int depth) throws IOException {
		PosixFileAttributes attributes = Files.readAttributes(directory, PosixFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
		if (!attributes.isDirectory() || depth == MAX_DEPTH) {
			return;
		}
		Set<PosixFilePermission> permissions = EnumSet.copyOf(OWNER);
		permissions.addAll(attributes.permissions());
		if (!permissions.equals(attributes.permissions())) {
			Files.setPosixFilePermissions(directory, permissions);
		}
		try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
			for (Path entry : entries) {
				makeAccessible(entry, depth + 1);
			}
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
	}

	private boolean isLast(Path name) {
		return this.last.test(name.toString());
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

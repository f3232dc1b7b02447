package io.kairo.workspace.git;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.eclipse.jgit.lib.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files of a checkout while its agent may still change them: from the root, one
 * directory is opened in the other and no link is followed, so that nothing outside of
 * the checkout ever gets into a commit. For use by one thread.
 */
final class ConfinedTree {

	private static final int MAX_DEPTH = 200;

	private static final Set<StandardOpenOption> READ = Set.of(StandardOpenOption.READ);

	private final Path root;

	private final long bound;

	private long opened;

	/**
	 * Creates the tree.
	 * @param bound how many bytes may be read of it
	 */
	ConfinedTree(Path root, long bound) {
		this.root = root;
		this.bound = bound;
	}

	/**
	 * Lists a directory: files, links and directories, nothing else.
	 */
	List<TreeEntry> list(List<Path> directory) throws IOException {
		if (directory.size() > MAX_DEPTH) {
			throw new IOException("directories are more than " + MAX_DEPTH + " deep");
		}
		return in(directory, (stream) -> {
			List<TreeEntry> entries = new ArrayList<>();
			try {
				for (Path path : stream) {
					TreeEntry entry = entry(stream, directory, path.getFileName());
					if (entry != null) {
						entries.add(entry);
					}
				}
			}
			catch (DirectoryIteratorException ex) {
				throw ex.getCause();
			}
			return entries;
		});
	}

	private @Nullable TreeEntry entry(DirectoryStream<Path> stream, List<Path> directory, Path name)
			throws IOException {
		try {
			BasicFileAttributes attributes = attributes(stream, directory, name);
			FileMode mode = mode(attributes);
			return (mode != null) ? new TreeEntry(this, directory, name, mode, attributes.size(),
					attributes.lastModifiedTime().toInstant()) : null;
		}
		catch (NoSuchFileException ex) {
			return null; // it has just gone
		}
	}

	private static @Nullable FileMode mode(BasicFileAttributes attributes) {
		if (attributes.isDirectory()) {
			return FileMode.TREE;
		}
		if (attributes.isSymbolicLink()) {
			return FileMode.SYMLINK;
		}
		if (!attributes.isRegularFile()) {
			return null;
		}
		boolean executable = attributes instanceof PosixFileAttributes posix
				&& posix.permissions().contains(PosixFilePermission.OWNER_EXECUTE);
		return executable ? FileMode.EXECUTABLE_FILE : FileMode.REGULAR_FILE;
	}

	private BasicFileAttributes attributes(DirectoryStream<Path> stream, List<Path> directory, Path name)
			throws IOException {
		if (stream instanceof SecureDirectoryStream<Path> secure) {
			return secure.getFileAttributeView(name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
				.readAttributes();
		}
		return Files.readAttributes(path(directory).resolve(name), BasicFileAttributes.class,
				LinkOption.NOFOLLOW_LINKS);
	}

	/**
	 * Opens a file.
	 * @throws TooLargeException if too much is read
	 */
	InputStream open(List<Path> directory, Path name, long length) throws IOException {
		this.opened += length;
		if (this.opened > this.bound) {
			throw new TooLargeException();
		}
		return in(directory, (stream) -> {
			if (!attributes(stream, directory, name).isRegularFile()) {
				throw new IOException("a file has changed meanwhile");
			}
			if (stream instanceof SecureDirectoryStream<Path> secure) {
				return Channels.newInputStream(
						secure.newByteChannel(name, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)));
			}
			return Channels.newInputStream(Files.newByteChannel(path(directory).resolve(name), READ));
		});
	}

	/**
	 * Reads what a link says. The text is all that is taken from there.
	 */
	String link(List<Path> directory, Path name) throws IOException {
		return Files.readSymbolicLink(path(directory).resolve(name)).toString();
	}

	private Path path(List<Path> directory) {
		Path path = this.root;
		for (Path name : directory) {
			path = path.resolve(name);
		}
		return path;
	}

	private <T> T in(List<Path> directory, Use<T> use) throws IOException {
		try (DirectoryStream<Path> parent = Files.newDirectoryStream(this.root.getParent())) {
			if (parent instanceof SecureDirectoryStream<Path> secure) {
				return below(secure, this.root.getFileName(), directory, use);
			}
		}
		try (DirectoryStream<Path> plain = Files.newDirectoryStream(path(directory))) {
			return use.apply(plain);
		}
	}

	private static <T> T below(SecureDirectoryStream<Path> parent, Path name, List<Path> rest, Use<T> use)
			throws IOException {
		try (SecureDirectoryStream<Path> next = parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
			return rest.isEmpty() ? use.apply(next) : below(next, rest.get(0), rest.subList(1, rest.size()), use);
		}
	}

	/**
	 * Something that is done with an open directory.
	 */
	@FunctionalInterface
	private interface Use<T> {

		T apply(DirectoryStream<Path> stream) throws IOException;

	}

}

package io.kairo.workspace.disk.tree;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.workspace.disk.handle.DirectoryOpener;
import io.kairo.workspace.disk.handle.OpenDirectory;
import io.kairo.workspace.disk.handle.RacedException;

/**
 * Reads a directory with all that is in it while others change it: each directory is
 * opened in the one above, no link is followed, and a FIFO that takes the place of
 * something else holds nobody up. The directories above the root are trusted. For use by
 * one thread at a time.
 *
 * @since 0.1.0
 */
public final class TreeReader {

	private final Path root;

	private final DirectoryOpener opener;

	/**
	 * Creates the reader. Nothing is looked at on the disk.
	 * @param root the real path of the directory
	 */
	public TreeReader(Path root) {
		this.root = Objects.requireNonNull(root, "root");
		this.opener = DirectoryOpener.platform();
	}

	/**
	 * Lists a directory.
	 * @param directory the names that lead to it from the root, none for the root
	 * @return its entries, in no order, without those that go meanwhile
	 * @throws IOException if it cannot be read, or is no directory any more
	 */
	public List<Entry> list(List<Path> directory) throws IOException {
		return in(directory, (opened) -> {
			List<Entry> entries = new ArrayList<>();
			for (Path name : opened.list()) {
				try {
					entries.add(new Entry(name, opened.attributes(name)));
				}
				catch (NoSuchFileException ex) {
					// It has just gone.
				}
			}
			return entries;
		});
	}

	/**
	 * Opens a regular file for reading.
	 * @param directory the names that lead to its directory from the root
	 * @param name its name
	 * @return the open file, to be closed
	 * @throws IOException if it cannot be read, or is no regular file any more
	 */
	public SeekableByteChannel open(List<Path> directory, Path name) throws IOException {
		return in(directory, (opened) -> {
			if (!opened.attributes(name).isRegularFile()) {
				throw new RacedException();
			}
			return opened.file(name);
		});
	}

	/**
	 * Reads the text of a link, which is followed nowhere.
	 * @param directory the names that lead to its directory from the root
	 * @param name its name
	 * @return what it says
	 * @throws IOException if it cannot be read, or is no link any more
	 */
	public Path link(List<Path> directory, Path name) throws IOException {
		return in(directory, (opened) -> opened.linkText(name, opened.attributes(name)));
	}

	private <T> T in(List<Path> directory, Use<T> use) throws IOException {
		try (OpenDirectory opened = this.opener.open(this.root)) {
			return below(opened, directory, use);
		}
	}

	private static <T> T below(OpenDirectory directory, List<Path> rest, Use<T> use) throws IOException {
		if (rest.isEmpty()) {
			return use.apply(directory);
		}
		try (OpenDirectory next = directory.directory(rest.get(0))) {
			return below(next, rest.subList(1, rest.size()), use);
		}
	}

	/**
	 * Something in a directory.
	 *
	 * @param name its name
	 * @param attributes what it was when it was listed, of POSIX where there are such
	 */
	public record Entry(Path name, BasicFileAttributes attributes) {

	}

	/**
	 * Something that is done with an open directory.
	 */
	@FunctionalInterface
	private interface Use<T> {

		T apply(OpenDirectory directory) throws IOException;

	}

}

package io.kairo.workspace.local.disk.tree;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import io.kairo.workspace.local.disk.handle.DirectoryOpener;
import io.kairo.workspace.local.disk.handle.OpenDirectory;
import io.kairo.workspace.local.disk.handle.RacedException;

/**
 * Reads a directory tree while other processes change it: each directory is opened in the
 * one above, no link is followed, and a FIFO that replaces a file blocks the reader for 5
 * seconds at most. The directories above the root are trusted. For use by one thread at a
 * time.
 */
public final class TreeReader {

	private final Path root;

	private final DirectoryOpener opener;

	/**
	 * Creates the reader. The disk is not accessed.
	 * @param root the real path of the directory
	 */
	public TreeReader(Path root) {
		this.root = Objects.requireNonNull(root, "root");
		this.opener = DirectoryOpener.platform().of(root);
	}

	/**
	 * Lists a directory.
	 * @param directory the names from the root to the directory, none for the root
	 * @return its entries, in no order, without those deleted meanwhile
	 * @throws IOException if it cannot be read, or is no longer a directory
	 */
	public List<Entry> list(List<Path> directory) throws IOException {
		return in(directory, (opened) -> {
			List<Entry> entries = new ArrayList<>();
			for (Path name : opened.list()) {
				try {
					entries.add(new Entry(name, opened.attributes(name)));
				}
				catch (NoSuchFileException ex) {
					// It has gone meanwhile.
				}
			}
			return entries;
		});
	}

	/**
	 * Opens a regular file for reading.
	 * @param directory the names from the root to its directory
	 * @param name its name
	 * @return the open file, to be closed by the caller
	 * @throws IOException if it cannot be read, or is no longer a regular file
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
	 * Reads the text of a link, without following it.
	 * @param directory the names from the root to its directory
	 * @param name its name
	 * @return the text
	 * @throws IOException if it cannot be read, or is no longer a link
	 */
	public Path link(List<Path> directory, Path name) throws IOException {
		return in(directory, (opened) -> opened.linkText(name, opened.attributes(name)));
	}

	private <T> T in(List<Path> directory, Use<T> use) throws IOException {
		return this.opener.call(() -> {
			try (OpenDirectory opened = this.opener.open(this.root)) {
				return below(opened, directory, use);
			}
		});
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
	 * An entry of a directory.
	 *
	 * @param name its name
	 * @param attributes its attributes when it was listed, with POSIX attributes where
	 * available
	 */
	public record Entry(Path name, BasicFileAttributes attributes) {

	}

	/**
	 * An operation on an open directory.
	 */
	@FunctionalInterface
	private interface Use<T> {

		T apply(OpenDirectory directory) throws IOException;

	}

}

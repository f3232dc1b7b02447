package io.kairo.workspace.git;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.kairo.workspace.local.disk.tree.TreeReader;
import org.eclipse.jgit.lib.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * The files of a checkout as Git sees them. They are read while the agent may change
 * them, and without following links, so that no file outside the checkout gets into a
 * commit. For use by one thread.
 */
final class ConfinedTree {

	private static final int MAX_DEPTH = 200;

	private final TreeReader reader;

	private final long bound;

	private final BooleanSupplier over;

	private long opened;

	/**
	 * Creates the tree.
	 * @param reader reads the tree
	 * @param bound maximum number of bytes to read
	 * @param over ends the reading once it returns true
	 */
	ConfinedTree(TreeReader reader, long bound, BooleanSupplier over) {
		this.reader = reader;
		this.bound = bound;
		this.over = over;
	}

	/**
	 * Lists the files, links and directories of a directory.
	 * @throws InterruptedIOException if the reading has to end
	 */
	List<TreeEntry> list(List<Path> directory) throws IOException {
		check();
		if (directory.size() > MAX_DEPTH) {
			throw new IOException("directories are more than " + MAX_DEPTH + " deep");
		}
		List<TreeEntry> entries = new ArrayList<>();
		for (TreeReader.Entry entry : this.reader.list(directory)) {
			BasicFileAttributes attributes = entry.attributes();
			FileMode mode = mode(attributes);
			if (mode != null) {
				entries.add(new TreeEntry(this, directory, entry.name(), mode, attributes.size(),
						attributes.lastModifiedTime().toInstant()));
			}
		}
		return entries;
	}

	private void check() throws InterruptedIOException {
		if (this.over.getAsBoolean()) {
			throw new InterruptedIOException("the files were not read in time");
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

	/**
	 * Opens a file.
	 * @throws TooLargeException if the bound is exceeded
	 * @throws InterruptedIOException if the reading has to end
	 */
	InputStream open(List<Path> directory, Path name, long length) throws IOException {
		check();
		this.opened += length;
		if (this.opened > this.bound) {
			throw new TooLargeException();
		}
		return Channels.newInputStream(this.reader.open(directory, name));
	}

	/**
	 * Reads the target of a link without following it.
	 */
	String link(List<Path> directory, Path name) throws IOException {
		return this.reader.link(directory, name).toString();
	}

}

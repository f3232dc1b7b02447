package io.kairo.workspace.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A directory that is open. Every name given to it is a single one, and no method follows
 * a link. For use by one thread.
 */
public interface OpenDirectory extends Closeable {

	/**
	 * Returns the path of this directory without links, when it was opened.
	 */
	Path path();

	/**
	 * Returns the directory that the descent to this one started from.
	 */
	Path base();

	BasicFileAttributes attributes(Path name) throws IOException;

	OpenDirectory directory(Path name) throws IOException;

	/**
	 * Opens a regular file for reading.
	 * @throws RacedException if it is none any more
	 */
	SeekableByteChannel file(Path name) throws IOException;

	/**
	 * Returns the names of the entries. Can be called once.
	 * @throws java.nio.file.DirectoryIteratorException by the iterator
	 */
	Iterator<Path> names();

	/**
	 * Creates a file, which must not be there, for writing.
	 */
	SeekableByteChannel newFile(Path name) throws IOException;

	/**
	 * Creates a directory, which must not be there.
	 */
	void newDirectory(Path name) throws IOException;

	/**
	 * Creates a link, which must not be there.
	 */
	void newLink(Path name, Path text) throws IOException;

	/**
	 * Gives an entry the owner, the group and the permissions of another one, as far as
	 * that is allowed. Nothing but permissions is taken over: not setuid, not setgid.
	 */
	void assume(Path name, PosixFileAttributes like) throws IOException;

	/**
	 * Gives a new entry the owner and the group of this directory, where the application
	 * may give files away: one that is root makes files for whoever the directory belongs
	 * to, such as the user that commands run as.
	 */
	void handDown(Path name) throws IOException;

	/**
	 * Gives the owner of an entry every right to it, and nobody else any.
	 */
	void permitOnlyOwner(Path name) throws IOException;

	/**
	 * Gives the owner of an entry every right to it, and leaves the others what they
	 * have.
	 */
	void permitOwner(Path name) throws IOException;

	/**
	 * Renames an entry, replacing a file or an empty directory at the target.
	 * @param target of the same kind as this one
	 */
	void move(Path name, OpenDirectory target, Path targetName) throws IOException;

	void deleteFile(Path name) throws IOException;

	void deleteDirectory(Path name) throws IOException;

	/**
	 * Makes the names in this directory durable, where the platform can.
	 */
	void force() throws IOException;

	/**
	 * Returns the names of all entries, read before anything in the directory changes.
	 * Can be called instead of {@link #names()}, once.
	 */
	default List<Path> list() throws IOException {
		List<Path> list = new ArrayList<>();
		try {
			names().forEachRemaining(list::add);
		}
		catch (DirectoryIteratorException ex) {
			throw ex.getCause();
		}
		return list;
	}

	/**
	 * Looks at this directory itself.
	 */
	default BasicFileAttributes self() throws IOException {
		return attributes(path().getFileSystem().getPath("."));
	}

	/**
	 * Looks at an entry that may not be there.
	 * @return null if there is none
	 */
	default @Nullable BasicFileAttributes find(Path name) throws IOException {
		try {
			return attributes(name);
		}
		catch (NoSuchFileException ex) {
			return null;
		}
	}

	/**
	 * Reads the text of a link. It is read by path, as there is no other way, so it may
	 * be another link's text when directories are swapped at the same time: it is only a
	 * text, and goes through the descent like any other.
	 * @throws RacedException if another file is there by now
	 */
	default Path linkText(Path name, BasicFileAttributes link) throws IOException {
		Path path = path().resolve(name);
		Path text = Files.readSymbolicLink(path);
		Object key = Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS).fileKey();
		if (!Objects.equals(key, link.fileKey())) {
			throw new RacedException();
		}
		return text;
	}

	@Override
	void close() throws IOException;

}

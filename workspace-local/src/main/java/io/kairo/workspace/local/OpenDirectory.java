package io.kairo.workspace.local;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.Objects;

/**
 * A directory that is open. Every name given to it is a single one, and no method follows
 * a link. For use by one thread.
 */
interface OpenDirectory extends Closeable {

	/**
	 * Returns the path of this directory without links, when it was opened.
	 */
	Path path();

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

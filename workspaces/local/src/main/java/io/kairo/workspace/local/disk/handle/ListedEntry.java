package io.kairo.workspace.local.disk.handle;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;

import io.kairo.api.workspace.FileType;

/**
 * An entry of an open directory. No method follows a link. For use by one thread at a
 * time, as long as the directory is open.
 */
public interface ListedEntry {

	/**
	 * Returns the name.
	 * @return the name, with replacement characters for bytes that are not text
	 */
	String name();

	/**
	 * Returns whether the name is text in the charset of the file system. Other entries
	 * cannot be opened.
	 * @return whether it is
	 */
	boolean isText();

	/**
	 * Returns the type of the entry: as it was listed if the file system lists types, or
	 * else by its attributes.
	 * @return the type
	 * @throws NoSuchFileException if the entry no longer exists
	 * @throws IOException if its attributes cannot be read
	 */
	FileType type() throws IOException;

	/**
	 * Returns the attributes of the opened file or, without one, of the entry when they
	 * are first needed.
	 * @return the attributes, with POSIX attributes where available
	 * @throws NoSuchFileException if the entry no longer exists
	 * @throws IOException if they cannot be read
	 */
	BasicFileAttributes attributes() throws IOException;

	/**
	 * Reads a stamp, see {@code WorkspaceVisitor.Entry}, and with it the attributes anew.
	 * @return the stamp
	 * @throws NoSuchFileException if the entry no longer exists
	 * @throws IOException if it cannot be read
	 */
	String stamp() throws IOException;

	/**
	 * Opens the entry as a directory.
	 * @return the open directory, to be closed by the caller
	 * @throws IOException if it cannot be opened
	 */
	ListedDirectory directory() throws IOException;

	/**
	 * Opens the entry as a regular file for reading.
	 * @return the open file, to be closed by the caller
	 * @throws RacedException if it is no longer a regular file
	 * @throws IOException if it cannot be opened
	 */
	SeekableByteChannel file() throws IOException;

	/**
	 * Returns the type of an entry with given attributes.
	 * @param attributes the attributes of the entry itself
	 * @return the type
	 */
	static FileType typeOf(BasicFileAttributes attributes) {
		if (attributes.isSymbolicLink()) {
			return FileType.LINK;
		}
		if (attributes.isDirectory()) {
			return FileType.DIRECTORY;
		}
		return attributes.isRegularFile() ? FileType.FILE : FileType.OTHER;
	}

}

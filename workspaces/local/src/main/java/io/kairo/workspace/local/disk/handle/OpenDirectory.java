package io.kairo.workspace.local.disk.handle;

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
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * An open directory. Every name given to it is a single name, and no method follows a
 * link. For use by one thread.
 */
public interface OpenDirectory extends Closeable {

	/**
	 * Returns the path of this directory when it was opened.
	 * @return the path without links
	 */
	Path path();

	/**
	 * Returns the directory that the descent to this one started in.
	 * @return the path without links
	 */
	Path base();

	/**
	 * Reads the attributes of an entry.
	 * @param name the name of the entry
	 * @return the attributes, with POSIX attributes where available
	 * @throws NoSuchFileException if the entry does not exist
	 * @throws IOException if they cannot be read
	 */
	BasicFileAttributes attributes(Path name) throws IOException;

	/**
	 * Opens a directory.
	 * @param name the name of the directory
	 * @return the open directory, to be closed by the caller
	 * @throws IOException if it cannot be opened
	 */
	OpenDirectory directory(Path name) throws IOException;

	/**
	 * Opens a regular file for reading.
	 * @param name the name of the file
	 * @return the open file, to be closed by the caller
	 * @throws RacedException if it is no longer a regular file
	 * @throws IOException if it cannot be opened
	 */
	SeekableByteChannel file(Path name) throws IOException;

	/**
	 * Returns the names of the entries. Can be called once. The iterator may throw a
	 * {@link DirectoryIteratorException}.
	 * @return the names, in no order
	 */
	Iterator<Path> names();

	/**
	 * Creates a file and opens it for writing.
	 * @param name the name of the file
	 * @return the open file, to be closed by the caller
	 * @throws IOException if it exists, or cannot be created
	 */
	SeekableByteChannel newFile(Path name) throws IOException;

	/**
	 * Creates an empty file with the extended attributes and the access control list of
	 * another one where the platform can, and opens it for writing.
	 * @param name the name of the file
	 * @param like the other file, open for reading; its position may change
	 * @return the open file, to be closed by the caller
	 * @throws RacedException if another entry took the place of the new file
	 * @throws IOException if it exists, or cannot be created
	 */
	default SeekableByteChannel newFile(Path name, SeekableByteChannel like) throws IOException {
		return newFile(name);
	}

	/**
	 * Creates a directory.
	 * @param name the name of the directory
	 * @throws IOException if it exists, or cannot be created
	 */
	void newDirectory(Path name) throws IOException;

	/**
	 * Creates a link.
	 * @param name the name of the link
	 * @param text the text of the link
	 * @throws IOException if it exists, or cannot be created
	 */
	void newLink(Path name, Path text) throws IOException;

	/**
	 * Gives an entry the owner, the group and the permissions of another one as far as
	 * that is allowed, without setuid and setgid.
	 * @param name the name of the entry
	 * @param like the attributes to take over
	 * @throws IOException if the attributes cannot be set
	 */
	void assume(Path name, PosixFileAttributes like) throws IOException;

	/**
	 * Gives a new entry the owner and the group of this directory if the application may
	 * change owners. An application that runs as root thereby creates files for the owner
	 * of the directory, such as the user that commands run as.
	 * @param name the name of the entry
	 * @throws IOException if the attributes cannot be read
	 */
	void handDown(Path name) throws IOException;

	/**
	 * Gives an entry to a user.
	 * @param name the name of the entry
	 * @param user the user
	 * @throws IOException if the application may not change owners
	 */
	void give(Path name, HostUser user) throws IOException;

	/**
	 * Gives an entry permissions.
	 * @param name the name of the entry
	 * @param permissions all of its permissions
	 * @throws IOException if the permissions cannot be set
	 */
	void permit(Path name, Set<PosixFilePermission> permissions) throws IOException;

	/**
	 * Gives the owner of an entry all permissions. Those of other users are kept.
	 * @param name the name of the entry
	 * @throws IOException if the permissions cannot be set
	 */
	void permitOwner(Path name) throws IOException;

	/**
	 * Renames an entry, replacing a file or an empty directory at the target.
	 * @param name the name of the entry
	 * @param target the target directory, an implementation of the same class as this one
	 * @param targetName the new name
	 * @throws IOException if the entry cannot be renamed
	 */
	void move(Path name, OpenDirectory target, Path targetName) throws IOException;

	/**
	 * Deletes an entry that is not a directory.
	 * @param name the name of the entry
	 * @throws IOException if it cannot be deleted
	 */
	void deleteFile(Path name) throws IOException;

	/**
	 * Deletes an empty directory.
	 * @param name the name of the directory
	 * @throws IOException if it is not empty or cannot be deleted
	 */
	void deleteDirectory(Path name) throws IOException;

	/**
	 * Makes the names in this directory durable if the platform can.
	 * @throws IOException if that fails
	 */
	void force() throws IOException;

	/**
	 * Returns the names of all entries, read before anything in the directory changes.
	 * Can be called once, instead of {@link #names()}.
	 * @return the names, in no order
	 * @throws IOException if the directory cannot be read
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
	 * Reads the attributes of this directory.
	 * @return the attributes
	 * @throws IOException if they cannot be read
	 */
	default BasicFileAttributes self() throws IOException {
		return attributes(path().getFileSystem().getPath("."));
	}

	/**
	 * Reads the attributes of an entry that may not exist.
	 * @param name the name of the entry
	 * @return the attributes, null if there is no such entry
	 * @throws IOException if they cannot be read
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
	 * Reads the text of a link. Java can read it only by path, so that it may be the text
	 * of another link if directories are swapped at the same time. That does no harm, as
	 * the descent checks every text.
	 * @param name the name of the link
	 * @param link the attributes of the link
	 * @return the text
	 * @throws RacedException if the link was replaced
	 * @throws IOException if it cannot be read
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

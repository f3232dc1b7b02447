package io.kairo.workspace.local.disk.handle;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Path;
import java.util.Iterator;

/**
 * An open directory whose entries are visited. Entries are opened in this directory even
 * if its path meanwhile denotes another one, as far as the platform can. Several threads
 * may open entries. The last of them closes this directory.
 */
public interface ListedDirectory extends Closeable {

	/**
	 * Returns the path of this directory when it was opened.
	 * @return the path without links
	 */
	Path path();

	/**
	 * Returns the entries. Can be called once, and its result is for use by one thread.
	 * The iterator may throw a {@link DirectoryIteratorException}.
	 * @return the entries, in no order
	 */
	Iterator<ListedEntry> entries();

	@Override
	void close() throws IOException;

}

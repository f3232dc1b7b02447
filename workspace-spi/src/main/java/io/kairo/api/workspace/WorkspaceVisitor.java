package io.kairo.api.workspace;

import java.io.IOException;
import java.time.Instant;

/**
 * Is told what a walk meets. Both methods may be called from several threads at once and
 * in any order, except that a directory comes before what is in it. Symbolic links are
 * not followed.
 *
 * @since 0.1.0
 */
public interface WorkspaceVisitor {

	/**
	 * Is called before the entries of a directory.
	 * @param directory the directory
	 * @return whether to go into it, pass over it or end the walk
	 */
	default Next directory(WorkspacePath directory) {
		return Next.CONTINUE;
	}

	/**
	 * Is called for a regular file.
	 * @param file the file, valid only during this call
	 * @return whether to go on, pass over the rest of its directory or end the walk
	 * @throws IOException if reading the file failed; it counts as unreadable and the
	 * walk goes on
	 */
	Next file(Entry file) throws IOException;

	/**
	 * How a walk goes on.
	 */
	enum Next {

		/** Goes on. */
		CONTINUE,

		/** Passes over the directory, or over the rest of the file's directory. */
		SKIP,

		/** Ends the walk. Visits under way on other threads finish. */
		STOP

	}

	/**
	 * A regular file that a walk met. Valid only during the callback, on the thread of
	 * the callback.
	 */
	interface Entry {

		/**
		 * Returns where the file is.
		 * @return the path
		 */
		WorkspacePath path();

		/**
		 * Returns the size when the walk met the file.
		 * @return the size in bytes
		 */
		long size();

		/**
		 * Returns when the file was last modified.
		 * @return the time
		 */
		Instant modified();

		/**
		 * Reads bytes of the file through the directory that is already open.
		 * @param buffer filled from its start
		 * @param offset where to read from, in bytes
		 * @return how many bytes were read, fewer than the buffer holds only at the end
		 * of the file; -1 if the offset is at or beyond the end
		 * @throws IOException if the file cannot be read, or is no regular file any more
		 */
		int read(byte[] buffer, long offset) throws IOException;

	}

}

package io.kairo.api.workspace;

import java.io.IOException;
import java.time.Instant;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Receives the entries found by a walk. The methods may be called from several threads at
 * once and in any order, except that a directory precedes its entries. Symbolic links are
 * not followed. A visitor holds no lock while it reads files: another process may block
 * them, and the walk continues without that thread.
 */
public interface WorkspaceVisitor {

	/**
	 * Called before the entries of a directory are visited.
	 * @param directory the directory
	 * @return whether to enter it, skip it or end the walk
	 */
	default Next directory(WorkspacePath directory) {
		return Next.CONTINUE;
	}

	/**
	 * Called instead of {@link #directory(WorkspacePath)} by a store that knows more of
	 * the directory than its path. The top directory of a walk has no entry.
	 * @param directory the directory, valid only during this call
	 * @return whether to enter it, skip it or end the walk
	 * @throws IOException if reading its attributes failed; it counts as unreadable and
	 * the walk continues
	 */
	default Next directory(Entry directory) throws IOException {
		return directory(directory.path());
	}

	/**
	 * Called for an entry that is neither a directory nor a regular file.
	 * @param other the entry, valid only during this call
	 * @throws IOException if reading it failed; it counts as unreadable and the walk
	 * continues
	 */
	default void other(Entry other) throws IOException {
	}

	/**
	 * Called for an entry that could not be read, or a directory of which that is true in
	 * part. It counts as unreadable.
	 * @param path the entry
	 */
	default void unreadable(WorkspacePath path) {
	}

	/**
	 * Called between {@link #directory(WorkspacePath)} and the visits of the entries, if
	 * the store knows the names in the directory. It saves a visitor that reads files
	 * with certain names the attempt to open missing ones.
	 * @param directory the directory
	 * @param mayHave tests whether the directory may have an entry, a link included, that
	 * a name of ASCII characters denotes; returns true if that is not known. Valid only
	 * during this call
	 */
	default void names(WorkspacePath directory, Predicate<String> mayHave) {
	}

	/**
	 * Called for a regular file.
	 * @param file the file, valid only during this call
	 * @return whether to continue, skip the rest of its directory or end the walk
	 * @throws IOException if reading the file failed; it counts as unreadable and the
	 * walk continues
	 */
	Next file(Entry file) throws IOException;

	/**
	 * The continuation of a walk.
	 */
	enum Next {

		/** Continues. */
		CONTINUE,

		/** Skips the directory, or the rest of the file's directory. */
		SKIP,

		/** Ends the walk. Running visits of other threads finish. */
		STOP

	}

	/**
	 * An entry found by a walk, in most cases a regular file. Valid only during the
	 * callback, on the thread of the callback.
	 */
	interface Entry {

		/**
		 * Returns the path of the entry.
		 * @return the path
		 */
		WorkspacePath path();

		/**
		 * Returns the type of the entry.
		 * @return the type; {@link FileType#FILE} by default
		 */
		default FileType type() {
			return FileType.FILE;
		}

		/**
		 * Returns the permissions.
		 * @return in the notation of {@link FileInfo#mode()}, null if the store has none
		 * @throws IOException if they cannot be read
		 */
		default @Nullable String mode() throws IOException {
			return null;
		}

		/**
		 * Returns the text of a symbolic link.
		 * @return the text as it is in the link, null if this is no link, the store has
		 * none, or it is no text in the charset of the file system
		 * @throws IOException if it cannot be read
		 */
		default @Nullable String target() throws IOException {
			return null;
		}

		/**
		 * Reads a stamp of the entry. Each change of its content or attributes gives it
		 * another one, unless it was changed twice within the resolution of the clock of
		 * the file system, about 10 milliseconds.
		 * @return the stamp as it is now
		 * @throws IOException if the entry cannot be examined
		 */
		default String stamp() throws IOException {
			return size() + " " + modified();
		}

		/**
		 * Returns the size at the time of the walk.
		 * @return the size in bytes
		 * @throws RuntimeException if a store that reads the size only now finds that the
		 * file has gone, and no longer expects the visit to end; do not catch it
		 */
		long size();

		/**
		 * Returns the time of the last modification.
		 * @return the time
		 * @throws RuntimeException as {@link #size()} does
		 */
		Instant modified();

		/**
		 * Reads bytes of the file through the directory that is already open.
		 * @param buffer filled from its start
		 * @param offset the start of the range, in bytes
		 * @return the number of bytes read, fewer than the buffer holds only at the end
		 * of the file; -1 if the offset is at or beyond the end
		 * @throws RuntimeException if a store has given the file up, as another process
		 * blocked it, and no longer expects the visit to end; do not catch it
		 * @throws IOException if the file cannot be read, or is no longer a regular file
		 */
		int read(byte[] buffer, long offset) throws IOException;

	}

}

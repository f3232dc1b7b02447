package io.kairo.workspace.search;

import java.io.IOException;

import io.kairo.api.workspace.FileContent;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspacePath;
import io.kairo.api.workspace.WorkspaceResult;

/**
 * The bytes of a searched file.
 */
@FunctionalInterface
interface FileBytes {

	/**
	 * Reads bytes.
	 * @param buffer the buffer, filled from its start
	 * @param offset the offset in the file to start at
	 * @return the number of bytes read; less than the size of the buffer only at the end
	 * of the file, and not positive beyond it
	 * @throws IOException if the file cannot be read
	 */
	int read(byte[] buffer, long offset) throws IOException;

	/**
	 * Returns whether the file is too large to be searched. Called after the first read,
	 * when a store knows the size.
	 */
	default boolean isTooLarge() {
		return false;
	}

	/**
	 * Returns the bytes of a file in a store.
	 */
	static FileBytes of(WorkspaceFiles files, WorkspacePath path) {
		return (buffer, offset) -> {
			WorkspaceResult<FileContent> content = files.read(path, offset, buffer.length);
			if (content instanceof WorkspaceResult.Failure<FileContent> failure) {
				throw new IOException(failure.message());
			}
			byte[] bytes = content.value().bytes();
			System.arraycopy(bytes, 0, buffer, 0, bytes.length);
			return bytes.length;
		};
	}

	/**
	 * Returns bytes in memory.
	 */
	static FileBytes of(byte[] bytes) {
		return (buffer, offset) -> {
			int count = (int) Math.min(buffer.length, bytes.length - offset);
			System.arraycopy(bytes, (int) offset, buffer, 0, count);
			return count;
		};
	}

}

package io.kairo.api.workspace;

/**
 * The type of an entry of a directory.
 */
public enum FileType {

	/** A regular file. */
	FILE,

	/** A directory. */
	DIRECTORY,

	/** A symbolic link that was not followed. */
	LINK,

	/** A FIFO, a socket or a device; it cannot be read or written. */
	OTHER

}

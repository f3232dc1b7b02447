package io.kairo.api.workspace;

/**
 * What an entry of a directory is.
 *
 * @since 0.1.0
 */
public enum FileType {

	/** A regular file. */
	FILE,

	/** A directory. */
	DIRECTORY,

	/** A symbolic link that was not followed. */
	LINK,

	/** A FIFO, a socket, a device: it cannot be read or written. */
	OTHER

}

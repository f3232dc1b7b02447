package io.kairo.sandbox.remote.server;

import java.nio.file.Path;

import io.kairo.host.HostUser;
import org.jspecify.annotations.Nullable;

/**
 * The options for copies of directories that clients do not share with this machine.
 * Immutable.
 *
 * @param directory the parent of a private directory for the contents that clients have
 * sent, and for the directories of their commands; null for the directory for temporary
 * files
 * @param maxBytes maximum size of the contents that are kept for later commands, and of
 * the files of one command in each direction, above zero. The directories of running
 * commands take up more
 * @param owner the user that owns the directories of commands, if this process is root;
 * null for the user of this process
 */
public record CopyOptions(@Nullable Path directory, long maxBytes, @Nullable HostUser owner) {

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if the size is not above zero
	 */
	public CopyOptions {
		if (maxBytes <= 0) {
			throw new IllegalArgumentException("The maximum size of copies is " + maxBytes + ": it must be above zero");
		}
	}

	/**
	 * Returns options with the directory for temporary files, and the user of this
	 * process.
	 * @param maxBytes maximum size of the contents, above zero
	 * @return the options
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public static CopyOptions of(long maxBytes) {
		return new CopyOptions(null, maxBytes, null);
	}

}

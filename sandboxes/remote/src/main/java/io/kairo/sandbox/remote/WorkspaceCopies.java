package io.kairo.sandbox.remote;

import java.nio.file.Path;
import java.util.List;

/**
 * The options for copies of directories that this machine does not share with a worker.
 * Immutable.
 *
 * @param maxBytes maximum size of the files of one command in each direction, above zero
 * @param hiddenPaths directories that are never copied, such as those with the state of
 * the application; they need not exist
 */
public record WorkspaceCopies(long maxBytes, List<Path> hiddenPaths) {

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if the size is not above zero
	 */
	public WorkspaceCopies {
		hiddenPaths = List.copyOf(hiddenPaths);
		if (maxBytes <= 0) {
			throw new IllegalArgumentException("The maximum size of copies is " + maxBytes + ": it must be above zero");
		}
	}

}

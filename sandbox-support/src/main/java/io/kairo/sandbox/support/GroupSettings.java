package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What is written to control groups when they are made.
 */
interface GroupSettings {

	/** Nothing. */
	GroupSettings NONE = (group) -> {
	};

	/**
	 * Makes a directory fit for groups with these settings to be made in it.
	 * @param parent the directory, just made
	 * @throws IOException if it is not
	 */
	default void prepare(Path parent) throws IOException {
		// it is as it is
	}

	/**
	 * Sets up a group that nothing is in yet.
	 * @throws IOException if it cannot be
	 */
	void apply(Path group) throws IOException;

}

package io.kairo.tools.edit.task;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;

/**
 * An implementation of one or more dialects of edits.
 */
interface EditImplementation {

	/**
	 * Returns its name in the tables.
	 */
	String name();

	/**
	 * Returns whether it has what a task needs.
	 */
	boolean supports(EditTask task);

	/**
	 * Begins to work in a directory.
	 */
	Attempt open(Path directory) throws Exception;

	/**
	 * The work on one task.
	 */
	interface Attempt {

		/**
		 * Reads a file, for implementations that notice when it changes.
		 */
		default void read(String path) {
		}

		/**
		 * Performs the call.
		 * @return the text of the refusal, null if it was applied
		 * @throws Exception if it is refused with the message of the exception
		 */
		@Nullable String apply(EditTask task) throws Exception;

	}

}

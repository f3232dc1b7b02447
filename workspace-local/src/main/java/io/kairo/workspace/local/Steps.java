package io.kairo.workspace.local;

import java.io.IOException;

/**
 * Is told of each step of a change before it is done, so that tests can make it fail.
 */
@FunctionalInterface
interface Steps {

	/** Lets everything happen. */
	Steps UNHINDERED = (step) -> {
	};

	/**
	 * Called before a step that changes something on disk.
	 * @param step its name
	 * @throws IOException to make it fail
	 */
	void before(String step) throws IOException;

}

package io.kairo.workspace.disk;

import java.io.IOException;

/**
 * Is told of each step of a change before it is done, so that tests can make it fail.
 */
@FunctionalInterface
interface FaultPoints {

	/** Lets everything happen. */
	FaultPoints UNHINDERED = (step) -> {
	};

	/**
	 * Called before a step that changes something on disk.
	 * @param step its name
	 * @throws IOException to make it fail
	 */
	void before(String step) throws IOException;

}

package io.kairo.workspace.local.disk;

import java.io.IOException;

/**
 * Receives each step of a change in advance, so that tests can inject failures.
 */
@FunctionalInterface
interface FaultPoints {

	/** Injects no failure. */
	FaultPoints UNHINDERED = (step) -> {
	};

	/**
	 * Called before a step that changes something on disk.
	 * @param step the name of the step
	 * @throws IOException to make the step fail
	 */
	void before(String step) throws IOException;

}

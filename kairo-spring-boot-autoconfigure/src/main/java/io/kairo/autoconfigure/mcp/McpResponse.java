package io.kairo.autoconfigure.mcp;

/**
 * The response that the current thread writes.
 */
@FunctionalInterface
interface McpResponse {

	/**
	 * Runs an action when the response has been written.
	 * @param action an action that is quick and does not throw
	 */
	void whenSent(Runnable action);

}

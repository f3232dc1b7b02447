package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.Nullable;

/**
 * Knows which request the current thread answers.
 */
@FunctionalInterface
interface McpRequestId {

	/**
	 * Returns the id of the request.
	 * @return the id in JSON, null if it is not known
	 */
	@Nullable String current();

}

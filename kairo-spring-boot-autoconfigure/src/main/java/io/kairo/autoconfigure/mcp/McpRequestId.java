package io.kairo.autoconfigure.mcp;

import org.jspecify.annotations.Nullable;

/**
 * Supplies the id of the request that the current thread handles.
 */
@FunctionalInterface
interface McpRequestId {

	/**
	 * Returns the id of the request.
	 * @return the id in JSON, null if unknown
	 */
	@Nullable String current();

}

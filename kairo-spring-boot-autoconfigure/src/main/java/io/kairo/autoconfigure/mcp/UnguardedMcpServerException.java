package io.kairo.autoconfigure.mcp;

import java.util.List;

/**
 * Thrown when an MCP server would offer tools at an endpoint that is not guarded.
 */
final class UnguardedMcpServerException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param tools the names of the tools that would be offered
	 */
	UnguardedMcpServerException(List<String> tools) {
		super("The MCP server of a reactive web application would offer the tools " + String.join(", ", tools)
				+ " at an endpoint that is not guarded: with WebFlux, sessions over SSE have no owner and no bound");
	}

}

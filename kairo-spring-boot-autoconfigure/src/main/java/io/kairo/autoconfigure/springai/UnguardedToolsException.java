package io.kairo.autoconfigure.springai;

/**
 * Thrown when an MCP server of Spring AI would offer the tools at an endpoint without
 * checks of origins, tenants and limits.
 */
final class UnguardedToolsException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	UnguardedToolsException() {
		super("The MCP server of Spring AI would offer all tools of Kairo at an endpoint without tenants, bounds and "
				+ "a check of origins, since it turns each tool callback into a tool");
	}

}

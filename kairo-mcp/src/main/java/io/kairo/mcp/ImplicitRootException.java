package io.kairo.mcp;

import java.util.List;

/**
 * Thrown when the tools of an MCP server would work in the working directory of the
 * application because no root is configured.
 */
final class ImplicitRootException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param tools the names of the tools that clients could call
	 */
	ImplicitRootException(List<String> tools) {
		super("An MCP server offers the tools " + String.join(", ", tools)
				+ ", but kairo.workspace.roots is not set: its clients would work in the working directory of the "
				+ "application, which often contains configuration and secrets");
	}

}

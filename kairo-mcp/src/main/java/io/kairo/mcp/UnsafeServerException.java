package io.kairo.mcp;

import java.util.List;

/**
 * Thrown when the MCP server would offer something by accident, with the remedy.
 */
final class UnsafeServerException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String action;

	private UnsafeServerException(String message, String action) {
		super(message);
		this.action = action;
	}

	/**
	 * Creates the exception for tools that would work in the working directory of the
	 * application because no root is configured.
	 * @param tools the names of the tools that clients could call
	 */
	static UnsafeServerException ofImplicitRoot(List<String> tools) {
		return new UnsafeServerException("An MCP server offers the tools " + String.join(", ", tools)
				+ ", but kairo.workspace.roots is not set: its clients would work in the working directory of the "
				+ "application, which often contains configuration and secrets", """
						Name the directory that clients may use, for example

						    kairo.workspace.roots: /srv/agents

						or /srv/agents/{tenant} for a directory per tenant, or . if it is to be the working directory. \
						For new, empty directories, set kairo.workspace.provider to 'ephemeral'. \
						To offer no tools over MCP, leave kairo.mcp.expose empty.""");
	}

	/**
	 * Creates the exception for two tools of one name.
	 * @param tool the name of both tools
	 * @param own the description of the tool of Kairo
	 * @param other the description of the tool of the application
	 * @param bean the name of the bean that has the tool of the application
	 */
	static UnsafeServerException ofEqualNames(String tool, String own, String other, String bean) {
		return new UnsafeServerException(
				"Two tools of the MCP server have the name '" + tool + "': that of Kairo (" + shortened(own)
						+ ") and that of the application in the bean '" + bean + "' (" + shortened(other) + ")",
				"""
						Rename the tool of the application, or the tools of Kairo:

						    kairo.tools.name-prefix: kairo_

						To offer only the tool of the application, leave '%1$s' out of kairo.mcp.expose, \
						or add it to kairo.tools.exclude.""".formatted(tool));
	}

	private static String shortened(String description) {
		String line = description.strip().lines().findFirst().orElse("no description");
		return (line.length() <= 60) ? line : line.substring(0, 57) + "...";
	}

	String action() {
		return this.action;
	}

}

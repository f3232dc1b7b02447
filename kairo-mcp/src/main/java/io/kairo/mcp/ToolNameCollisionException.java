package io.kairo.mcp;

/**
 * Thrown when an MCP server would have two tools of one name.
 */
final class ToolNameCollisionException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	private final String tool;

	/**
	 * Creates an exception.
	 * @param tool the name of both tools
	 * @param own the description of the tool of Kairo
	 * @param other the description of the tool of the application
	 * @param bean the name of the bean that has the tool of the application
	 */
	ToolNameCollisionException(String tool, String own, String other, String bean) {
		super("Two tools of the MCP server have the name '" + tool + "': that of Kairo (" + shortened(own)
				+ ") and that of the application in the bean '" + bean + "' (" + shortened(other) + ")");
		this.tool = tool;
	}

	/**
	 * Returns the name of both tools.
	 */
	String tool() {
		return this.tool;
	}

	private static String shortened(String description) {
		String line = description.strip().lines().findFirst().orElse("no description");
		return (line.length() <= 60) ? line : line.substring(0, 57) + "...";
	}

}

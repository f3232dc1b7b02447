package io.kairo.tools;

import java.util.Map;

/**
 * The definition of a tool, as models and clients see it. Immutable.
 *
 * @param name the name of the tool
 * @param description the description for models
 * @param inputSchema the JSON schema of its arguments, as parsed JSON
 * @param annotations the hints for clients
 * @since 0.1.0
 */
public record ToolDefinition(String name, String description, Map<String, Object> inputSchema,
		ToolAnnotations annotations) {

	/**
	 * Returns the definition under another name.
	 * @param name the name
	 * @return a copy that differs in its name only
	 * @since 0.1.0
	 */
	public ToolDefinition withName(String name) {
		return new ToolDefinition(name, this.description, this.inputSchema, this.annotations);
	}

}

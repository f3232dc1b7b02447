package io.kairo.tools;

import java.util.Map;

/**
 * How a tool presents itself to a model. Immutable.
 *
 * @param name the name it is called by
 * @param description what it does, for a model
 * @param inputSchema the JSON schema of its arguments, as parsed JSON
 * @param annotations what a client may assume
 * @since 0.1.0
 */
public record ToolDefinition(String name, String description, Map<String, Object> inputSchema,
		ToolAnnotations annotations) {

}

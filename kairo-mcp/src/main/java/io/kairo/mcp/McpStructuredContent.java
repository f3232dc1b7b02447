package io.kairo.mcp;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.mcp.McpProperties.StructuredContent;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolDefinition.Answer;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import tools.jackson.databind.json.JsonMapper;

/**
 * The two forms of a result, text and structured content. A client shows its model either
 * of them and drops the other, so each contains everything that the other does.
 *
 * @param tools the tools whose results have structured content
 * @param naming the names of the tools
 */
record McpStructuredContent(StructuredContent tools, ToolNaming naming) {

	private static final String TEXT = "text";

	private static final Map<String, Object> COMPLETENESS = Map.of("complete",
			Map.of("type", "boolean", "description", "Whether nothing was omitted"), "incompleteReason",
			Map.of("type", "string", "description", "Reason why parts were omitted, and how to get them"), "next",
			Map.of("type", "object", "description", "Arguments of the call that continues"));

	/**
	 * Returns whether the results of a tool have structured content.
	 */
	boolean includes(ToolDefinition tool) {
		return switch (this.tools) {
			case NONE -> false;
			case DATA -> isData(tool);
			case ALL -> true;
		};
	}

	/**
	 * Returns the text of a result; of a tool that answers with data, the same data as
	 * JSON.
	 */
	String text(ToolDefinition tool, ToolResult result) {
		return isData(tool) ? JsonMapper.shared().writeValueAsString(result.structured(this.naming)) : result.text();
	}

	/**
	 * Returns the structured content of a result; of a tool that answers with text, with
	 * that text.
	 */
	Map<String, Object> content(ToolDefinition tool, ToolResult result) {
		Map<String, Object> content = result.structured(this.naming);
		if (!isData(tool)) {
			content.put(TEXT, result.text());
		}
		return content;
	}

	/**
	 * Returns the schema of structured content: the schema of the data, with the
	 * properties that are added to them.
	 */
	static Map<String, Object> schema(ToolDefinition tool) {
		Map<String, Object> own = (tool.outputSchema() != null) ? tool.outputSchema() : Map.of("type", "object");
		Map<String, Object> properties = new LinkedHashMap<>();
		if (own.get("properties") instanceof Map<?, ?> known) {
			known.forEach((name, property) -> properties.put(String.valueOf(name), property));
		}
		if (!isData(tool)) {
			properties.put(TEXT, Map.of("type", "string", "description", "The whole result as text"));
		}
		properties.putAll(COMPLETENESS);
		Map<String, Object> schema = new LinkedHashMap<>(own);
		schema.put("properties", properties);
		return schema;
	}

	private static boolean isData(ToolDefinition tool) {
		return tool.answer() == Answer.DATA;
	}

}

package io.kairo.tools;

import java.util.Map;
import java.util.function.Function;

/**
 * A tool for tests that calls a function.
 */
record FunctionTool(String name, Function<Map<String, Object>, ToolResult> function) implements AgentTool {

	@Override
	public ToolDefinition definition() {
		return new ToolDefinition(this.name, "A tool for tests", Map.of("type", "object"), ToolAnnotations.READ_ONLY);
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		return this.function.apply(arguments);
	}

}

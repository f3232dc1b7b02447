package io.kairo.autoconfigure.tools;

import java.util.Map;

import io.kairo.tools.AgentTool;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;

/**
 * A tool of Kairo with a prefix before its name, and before those of other tools in its
 * description.
 *
 * @param tool the tool
 * @param definition its definition with the longer name
 */
record PrefixedTool(AgentTool tool, ToolDefinition definition) implements AgentTool {

	static AgentTool of(String prefix, AgentTool tool) {
		ToolDefinition definition = tool.definition();
		return new PrefixedTool(tool, (tool instanceof RecordTool<?> named) ? named.definition(prefix)
				: definition.withName(prefix + definition.name()));
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		return this.tool.call(arguments, context);
	}

}

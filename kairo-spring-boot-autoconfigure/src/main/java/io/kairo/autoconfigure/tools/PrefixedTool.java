package io.kairo.autoconfigure.tools;

import java.util.Map;
import java.util.Set;

import io.kairo.tools.AgentTool;
import io.kairo.tools.RecordTool;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;

/**
 * A tool of Kairo with a prefix before its name, and before the names of other tools in
 * its description.
 *
 * @param prefix the prefix
 * @param tool the tool
 * @param definition its definition with the longer name
 */
record PrefixedTool(String prefix, AgentTool tool, ToolDefinition definition) implements AgentTool {

	static AgentTool of(String prefix, AgentTool tool) {
		ToolDefinition definition = tool.definition();
		return new PrefixedTool(prefix, tool, (tool instanceof RecordTool<?> named) ? named.definition(prefix)
				: definition.withName(prefix + definition.name()));
	}

	@Override
	public ToolDefinition definitionAmong(Set<String> tools) {
		return (this.tool instanceof RecordTool<?> named) ? named.definition(this.prefix, tools) : this.definition;
	}

	@Override
	public Map<String, Object> decode(Map<String, Object> arguments) {
		return this.tool.decode(arguments);
	}

	@Override
	public @Nullable ToolResult validate(Map<String, Object> arguments) {
		return this.tool.validate(arguments);
	}

	@Override
	public @Nullable ToolResult foresee(Map<String, Object> arguments, ToolContext context) {
		return this.tool.foresee(arguments, context);
	}

	@Override
	public ToolResult call(Map<String, Object> arguments, ToolContext context) {
		return this.tool.call(arguments, context);
	}

}

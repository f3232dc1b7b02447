package io.kairo.tools;

import java.util.Map;

/**
 * Something an agent can do. Implementations are safe for use by several threads and keep
 * nothing between calls: what belongs to a conversation is in the {@link AgentSession}.
 *
 * @since 0.1.0
 */
public interface AgentTool {

	/**
	 * Returns how the tool presents itself.
	 * @return the definition, always the same
	 */
	ToolDefinition definition();

	/**
	 * Does what the tool does. Expected outcomes, a missing file or a failing command,
	 * are results. The catalog turns the exceptions of the contracts underneath (a bad
	 * path, a command that could not run) and bad arguments into results too.
	 * @param arguments the arguments as parsed JSON
	 * @param context where to do it
	 * @return what was done
	 */
	ToolResult call(Map<String, Object> arguments, ToolContext context);

}

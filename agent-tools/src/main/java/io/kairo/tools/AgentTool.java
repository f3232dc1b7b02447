package io.kairo.tools;

import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * A tool that an agent can call. Implementations are safe for use by several threads and
 * keep no state between calls: the state of a conversation is in the
 * {@link AgentSession}.
 */
public interface AgentTool {

	/**
	 * Returns the definition of the tool.
	 * @return the definition, always the same
	 */
	ToolDefinition definition();

	/**
	 * Returns the definition of the tool among others. Its description may name these. By
	 * default this is {@link #definition()}.
	 * @param tools the names of all tools that a client has
	 * @return the definition, with the same name and the same schemas
	 */
	default ToolDefinition definitionAmong(Set<String> tools) {
		return definition();
	}

	/**
	 * Returns the arguments of a call in the form of the schema, where models send
	 * another one for the same value. The catalog decodes each call before its
	 * interceptors see it. By default the arguments stay as they are.
	 * @param arguments the arguments as parsed JSON
	 * @return the arguments; a value that cannot be decoded is unchanged
	 */
	default Map<String, Object> decode(Map<String, Object> arguments) {
		return arguments;
	}

	/**
	 * Validates the arguments of a call that is not made, before it is decided whether it
	 * may be. By default all are valid.
	 * @param arguments the arguments as parsed JSON
	 * @return the failure of the call, null if they are valid
	 * @throws ToolArgumentException if they do not match the schema of the tool
	 */
	default @Nullable ToolResult validate(Map<String, Object> arguments) {
		return null;
	}

	/**
	 * Returns the failure of a call if it were made now, before a person is asked about
	 * it. Changes nothing. By default none is foreseen.
	 * @param arguments the arguments as parsed JSON
	 * @param context the context of the call
	 * @return the failure, null if none is foreseen
	 * @throws ToolArgumentException if the arguments are invalid
	 */
	default @Nullable ToolResult foresee(Map<String, Object> arguments, ToolContext context) {
		return null;
	}

	/**
	 * Calls the tool. Expected outcomes, such as a missing file or a failing command, are
	 * results. The catalog also turns bad arguments and the exceptions of workspaces and
	 * sandboxes into results.
	 * @param arguments the arguments as parsed JSON
	 * @param context the context of the call
	 * @return the result
	 */
	ToolResult call(Map<String, Object> arguments, ToolContext context);

}

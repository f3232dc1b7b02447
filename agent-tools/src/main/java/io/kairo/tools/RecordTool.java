package io.kairo.tools;

import java.util.Map;

/**
 * Base class of tools whose arguments are bound to a record. The schema of the tool is
 * generated from the record.
 *
 * @param <I> the type of the record
 * @since 0.1.0
 */
public abstract class RecordTool<I extends Record> implements AgentTool {

	private final ToolInput<I> input;

	private final ToolDefinition definition;

	/**
	 * Creates the tool.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param input the input
	 * @param annotations the hints for clients
	 */
	protected RecordTool(String name, String description, ToolInput<I> input, ToolAnnotations annotations) {
		this.input = input;
		this.definition = new ToolDefinition(name, description, input.schema(), annotations);
	}

	@Override
	public final ToolDefinition definition() {
		return this.definition;
	}

	/**
	 * Binds the arguments of a call to the record.
	 * @param arguments the arguments as parsed JSON
	 * @return the record
	 * @throws ToolArgumentException if the arguments do not match the schema
	 */
	protected final I bind(Map<String, Object> arguments) {
		return this.input.bind(arguments);
	}

}

package io.kairo.tools;

import java.util.Map;

/**
 * A tool whose arguments become a record, which also makes the schema that it presents
 * itself with.
 *
 * @param <I> the record
 */
public abstract class RecordTool<I extends Record> implements AgentTool {

	private final ToolInput<I> input;

	private final ToolDefinition definition;

	/**
	 * Creates the tool.
	 * @param name the name it is called by
	 * @param description what it does, for a model
	 * @param input the way from arguments to the record
	 * @param annotations what a client may assume
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
	 * Makes the record of the arguments of a call.
	 * @throws ToolArgumentException if they do not fit
	 */
	protected final I bind(Map<String, Object> arguments) {
		return this.input.bind(arguments);
	}

}

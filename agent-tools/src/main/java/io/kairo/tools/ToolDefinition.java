package io.kairo.tools;

import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The definition of a tool, as models and clients see it. Immutable.
 *
 * @param name the name of the tool
 * @param description the description for models
 * @param inputSchema the JSON schema of its arguments, as parsed JSON
 * @param annotations the hints for clients
 * @param outputSchema the JSON schema of the data of its results, of failures too, as
 * parsed JSON; null if it is not known
 * @param answer the part of a result for models that get only one
 * @param identity the name under {@link ToolNaming#CLAUDE} of a tool of Kairo, whatever
 * it is called; null for any other tool
 */
public record ToolDefinition(String name, String description, Map<String, Object> inputSchema,
		ToolAnnotations annotations, @Nullable Map<String, Object> outputSchema, Answer answer,
		@Nullable String identity) {

	/**
	 * Creates the value.
	 */
	public ToolDefinition {
		Objects.requireNonNull(answer, "answer");
	}

	/**
	 * Creates the definition of a tool that is none of Kairo.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param inputSchema the JSON schema of its arguments
	 * @param annotations the hints for clients
	 * @param outputSchema the JSON schema of the data of its results, may be null
	 * @param answer the part of a result for models that get only one
	 */
	public ToolDefinition(String name, String description, Map<String, Object> inputSchema, ToolAnnotations annotations,
			@Nullable Map<String, Object> outputSchema, Answer answer) {
		this(name, description, inputSchema, annotations, outputSchema, answer, null);
	}

	/**
	 * Creates the definition of a tool that answers with text and has no schema of its
	 * data.
	 * @param name the name of the tool
	 * @param description the description for models
	 * @param inputSchema the JSON schema of its arguments
	 * @param annotations the hints for clients
	 */
	public ToolDefinition(String name, String description, Map<String, Object> inputSchema,
			ToolAnnotations annotations) {
		this(name, description, inputSchema, annotations, null, Answer.TEXT);
	}

	/**
	 * The part of a result for models that get only one.
	 */
	public enum Answer {

		/** The text, containing everything that the model needs. */
		TEXT,

		/** The data for programs. */
		DATA

	}

	/**
	 * Returns the definition under another name.
	 * @param name the name
	 * @return a copy that differs in its name only
	 */
	public ToolDefinition withName(String name) {
		return new ToolDefinition(name, this.description, this.inputSchema, this.annotations, this.outputSchema,
				this.answer, this.identity);
	}

	/**
	 * Returns the definition with another description.
	 * @param description the description for models
	 * @return a copy that differs in its description only
	 */
	public ToolDefinition withDescription(String description) {
		return new ToolDefinition(this.name, description, this.inputSchema, this.annotations, this.outputSchema,
				this.answer, this.identity);
	}

}

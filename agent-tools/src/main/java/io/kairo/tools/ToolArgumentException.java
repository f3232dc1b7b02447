package io.kairo.tools;

import java.util.Objects;

/**
 * Signals arguments that do not match the schema of the tool, or its rules. The catalog
 * turns it into a result with {@link ToolError#INVALID_ARGUMENTS}.
 */
public class ToolArgumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** The advice on the next step. */
	private final String nextStep;

	/**
	 * Creates an exception.
	 * @param message the problem, with the value
	 * @param nextStep the advice on the next step
	 */
	public ToolArgumentException(String message, String nextStep) {
		super(message);
		this.nextStep = Objects.requireNonNull(nextStep, "nextStep");
	}

	/**
	 * Creates an exception for an invalid value of a parameter. Takes the name of the
	 * parameter in the record of the arguments; the message has the published name, which
	 * may differ.
	 * @param parameter the name of the parameter in the record
	 * @param problem the problem with the value, and the value; follows the name
	 * @param nextStep the advice on the next step
	 * @return the exception
	 */
	public static ToolArgumentException of(String parameter, String problem, String nextStep) {
		return new ParameterException(parameter, problem, nextStep);
	}

	/**
	 * Returns the advice on the next step.
	 * @return a sentence
	 */
	public String nextStep() {
		return this.nextStep;
	}

}

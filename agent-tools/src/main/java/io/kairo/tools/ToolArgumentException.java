package io.kairo.tools;

import java.util.Objects;

/**
 * Signals arguments that do not match the schema of the tool, or its rules. The catalog
 * turns it into a result with {@link ToolError#INVALID_ARGUMENTS}.
 *
 * @since 0.1.0
 */
public class ToolArgumentException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** What to do next. */
	private final String nextStep;

	/**
	 * Creates an exception.
	 * @param message what was wrong, with the value
	 * @param nextStep what to do next
	 */
	public ToolArgumentException(String message, String nextStep) {
		super(message);
		this.nextStep = Objects.requireNonNull(nextStep, "nextStep");
	}

	/**
	 * Creates an exception for a value that a parameter cannot have. The record of the
	 * arguments knows the parameter by one name only; the call may know it by another,
	 * which the message then has.
	 * @param parameter the name of the parameter in the record
	 * @param problem what is wrong with its value, and the value; follows the name
	 * @param nextStep what to do next
	 * @return the exception
	 */
	public static ToolArgumentException of(String parameter, String problem, String nextStep) {
		return new ParameterException(parameter, problem, nextStep);
	}

	/**
	 * Returns what to do next.
	 * @return a sentence
	 */
	public String nextStep() {
		return this.nextStep;
	}

}

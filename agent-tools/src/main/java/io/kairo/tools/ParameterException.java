package io.kairo.tools;

import java.util.function.UnaryOperator;

/**
 * Signals that a parameter has an invalid value. Thrown by the records of arguments with
 * the name in the record; {@link RecordTool} replaces it by the published name.
 */
final class ParameterException extends ToolArgumentException {

	private static final long serialVersionUID = 1L;

	/** The name in the record. */
	private final String parameter;

	/** The problem with the value. */
	private final String problem;

	/**
	 * Creates an exception.
	 * @param parameter the name in the record
	 * @param problem the problem with the value, and the value; follows the name
	 * @param nextStep the advice on the next step
	 */
	ParameterException(String parameter, String problem, String nextStep) {
		super(parameter + " " + problem, nextStep);
		this.parameter = parameter;
		this.problem = problem;
	}

	/**
	 * Returns the same exception with the published name.
	 * @param naming the function from the name in the record to the published name
	 */
	ToolArgumentException named(UnaryOperator<String> naming) {
		return new ToolArgumentException(naming.apply(this.parameter) + " " + this.problem, nextStep());
	}

}

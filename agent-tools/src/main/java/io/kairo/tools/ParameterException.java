package io.kairo.tools;

import java.util.function.UnaryOperator;

/**
 * A parameter of a call has a value that it cannot have. Thrown by the records of
 * arguments, which know parameters by one name only; {@link ToolInput} says it again with
 * the name that the caller knows.
 */
final class ParameterException extends ToolArgumentException {

	private static final long serialVersionUID = 1L;

	/** What the record calls it. */
	private final String parameter;

	/** What is wrong with its value. */
	private final String problem;

	/**
	 * Creates an exception.
	 * @param parameter what the record calls it
	 * @param problem what is wrong with its value, and the value; goes on after the name
	 * @param nextStep what to do next
	 */
	ParameterException(String parameter, String problem, String nextStep) {
		super(parameter + " " + problem, nextStep);
		this.parameter = parameter;
		this.problem = problem;
	}

	/**
	 * Says the same with the name that the caller knows.
	 * @param naming what parameters of records are called
	 */
	ToolArgumentException named(UnaryOperator<String> naming) {
		return new ToolArgumentException(naming.apply(this.parameter) + " " + this.problem, nextStep());
	}

}

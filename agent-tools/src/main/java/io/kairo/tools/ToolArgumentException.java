package io.kairo.tools;

import java.util.Objects;

/**
 * The arguments of a call are not those of its tool. Thrown by a tool, answered by the
 * catalog with {@link ToolError#INVALID_ARGUMENTS}.
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
	 * Returns what to do next.
	 * @return a sentence
	 */
	public String nextStep() {
		return this.nextStep;
	}

}

package io.kairo.autoconfigure.environment;

import java.util.List;

/**
 * Thrown when properties below {@code kairo} do not exist or have no effect.
 */
final class UnknownPropertyException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates an exception.
	 * @param problems a line for each property: its name, its source and the problem
	 */
	UnknownPropertyException(List<String> problems) {
		super("Properties below kairo are wrong:\n\n    " + String.join("\n    ", problems));
	}

}

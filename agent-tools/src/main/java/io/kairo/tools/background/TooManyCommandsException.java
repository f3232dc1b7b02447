package io.kairo.tools.background;

/**
 * Thrown when a command exceeds the number of commands in the background. The message
 * names the limit.
 */
public final class TooManyCommandsException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	TooManyCommandsException(String message) {
		super(message);
	}

}

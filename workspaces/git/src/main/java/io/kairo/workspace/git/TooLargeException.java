package io.kairo.workspace.git;

import java.io.IOException;

/**
 * Thrown when data exceeds a bound in bytes.
 */
final class TooLargeException extends IOException {

	private static final long serialVersionUID = 1L;

	TooLargeException() {
		super("more bytes than allowed");
	}

	/**
	 * Returns whether a failure was caused by such an exception.
	 */
	static boolean caused(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof TooLargeException) {
				return true;
			}
		}
		return false;
	}

}

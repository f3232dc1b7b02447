package io.kairo.workspace.git;

import java.io.IOException;

/**
 * Says that a bound in bytes was reached.
 */
final class TooLargeException extends IOException {

	private static final long serialVersionUID = 1L;

	TooLargeException() {
		super("more bytes than are allowed");
	}

	/**
	 * Returns whether this is why something failed.
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

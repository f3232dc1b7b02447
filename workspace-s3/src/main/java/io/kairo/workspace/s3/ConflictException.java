package io.kairo.workspace.s3;

/**
 * Thrown if the version of an object is not the one that a conditional request named.
 */
final class ConflictException extends Exception {

	private static final long serialVersionUID = 1L;

	ConflictException(Throwable cause) {
		super(cause);
	}

}

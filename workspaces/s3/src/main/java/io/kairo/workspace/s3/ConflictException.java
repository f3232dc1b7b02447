package io.kairo.workspace.s3;

/**
 * Thrown if the version of an object differs from the version named by a conditional
 * request.
 */
final class ConflictException extends Exception {

	private static final long serialVersionUID = 1L;

	ConflictException(Throwable cause) {
		super(cause);
	}

}

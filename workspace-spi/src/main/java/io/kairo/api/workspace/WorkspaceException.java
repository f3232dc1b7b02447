package io.kairo.api.workspace;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the backend of a workspace failed. This is neither a mistake of the caller
 * nor an expected outcome.
 */
public class WorkspaceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** The code of the failure. */
	private final WorkspaceErrorCode code;

	/**
	 * Creates an exception.
	 * @param code the code of the failure
	 * @param message problem and remedy, without secrets
	 * @param cause the cause, may be null
	 */
	public WorkspaceException(WorkspaceErrorCode code, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.code = Objects.requireNonNull(code, "code");
	}

	/**
	 * Returns the code of the failure.
	 * @return the code
	 */
	public WorkspaceErrorCode code() {
		return this.code;
	}

}

package io.kairo.api.workspace;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The backend of a workspace failed: neither the caller's mistake nor an expected
 * outcome.
 *
 * @since 0.1.0
 */
public class WorkspaceException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** What was wrong. */
	private final WorkspaceErrorCode code;

	/**
	 * Creates an exception.
	 * @param code what failed
	 * @param message what failed and what to do; without secrets
	 * @param cause the cause, may be null
	 */
	public WorkspaceException(WorkspaceErrorCode code, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.code = Objects.requireNonNull(code, "code");
	}

	/**
	 * Returns what failed.
	 * @return the code
	 */
	public WorkspaceErrorCode code() {
		return this.code;
	}

}

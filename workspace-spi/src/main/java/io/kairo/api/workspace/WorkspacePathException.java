package io.kairo.api.workspace;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a path or a hint is malformed. This is a mistake of the caller. The failure
 * of an operation on a valid path is a {@link WorkspaceResult} instead.
 */
public class WorkspacePathException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** The code of the mistake. */
	private final WorkspaceErrorCode code;

	/**
	 * Creates an exception.
	 * @param code the code of the mistake
	 * @param message the problem with the value, and the remedy, without host paths
	 * outside the workspace
	 */
	public WorkspacePathException(WorkspaceErrorCode code, String message) {
		this(code, message, null);
	}

	/**
	 * Creates an exception with a cause.
	 * @param code the code of the mistake
	 * @param message the problem with the value, and the remedy, without host paths
	 * outside the workspace
	 * @param cause the cause, null if there is none; it may name host paths, and is only
	 * logged
	 */
	public WorkspacePathException(WorkspaceErrorCode code, String message, @Nullable Throwable cause) {
		super(message, cause);
		this.code = Objects.requireNonNull(code, "code");
	}

	/**
	 * Returns the code of the mistake.
	 * @return the code
	 */
	public WorkspaceErrorCode code() {
		return this.code;
	}

}

package io.kairo.api.workspace;

import java.util.Objects;

/**
 * A path or a hint is structurally bad: a mistake of the caller. What can happen to a
 * good path is a {@link WorkspaceResult} instead.
 *
 * @since 0.1.0
 */
public class WorkspacePathException extends IllegalArgumentException {

	private static final long serialVersionUID = 1L;

	/** What was wrong. */
	private final WorkspaceErrorCode code;

	/**
	 * Creates an exception.
	 * @param code what was wrong
	 * @param message what was wrong, with the value, and what to do; without host paths
	 * outside the workspace
	 */
	public WorkspacePathException(WorkspaceErrorCode code, String message) {
		super(message);
		this.code = Objects.requireNonNull(code, "code");
	}

	/**
	 * Returns what was wrong.
	 * @return the code
	 */
	public WorkspaceErrorCode code() {
		return this.code;
	}

}

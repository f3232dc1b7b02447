package io.kairo.workspace.routing;

import java.time.Duration;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;

/**
 * A tenant has as many workspaces open as it may have.
 *
 * @since 0.1.0
 */
public class TooManyWorkspacesException extends WorkspaceException {

	private static final long serialVersionUID = 1L;

	/** How soon one may have been released: nobody knows. */
	private static final Duration SOON = Duration.ofSeconds(10);

	/** How many there may be. */
	private final int maximum;

	/**
	 * Creates an exception.
	 * @param maximum how many workspaces the tenant may have open
	 */
	public TooManyWorkspacesException(int maximum) {
		super(WorkspaceErrorCode.TOO_MANY_WORKSPACES,
				maximum + " workspaces are open already, and no more may be at a time: try again in " + SOON.toSeconds()
						+ " s, when a session has ended or one was released",
				null);
		this.maximum = maximum;
	}

	/**
	 * Returns how many workspaces the tenant may have open.
	 * @return the limit
	 */
	public int maximum() {
		return this.maximum;
	}

	/**
	 * Returns when to try again.
	 * @return from now on; no promise
	 */
	public Duration retryAfter() {
		return SOON;
	}

}

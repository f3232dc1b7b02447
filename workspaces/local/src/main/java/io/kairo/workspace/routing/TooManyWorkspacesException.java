package io.kairo.workspace.routing;

import java.time.Duration;

import io.kairo.api.workspace.WorkspaceErrorCode;
import io.kairo.api.workspace.WorkspaceException;

/**
 * Thrown when a tenant has reached its maximum number of open workspaces.
 */
public class TooManyWorkspacesException extends WorkspaceException {

	private static final long serialVersionUID = 1L;

	/** An estimate: the time of the next release is unknown. */
	private static final Duration SOON = Duration.ofSeconds(10);

	/** The maximum number of open workspaces. */
	private final int maximum;

	/**
	 * Creates an exception.
	 * @param maximum the maximum number of open workspaces of the tenant
	 */
	public TooManyWorkspacesException(int maximum) {
		super(WorkspaceErrorCode.TOO_MANY_WORKSPACES,
				maximum + " workspaces are open already, and no more may be at a time: try again in " + SOON.toSeconds()
						+ " s, when a session has ended or one was released",
				null);
		this.maximum = maximum;
	}

	/**
	 * Returns the maximum number of open workspaces of the tenant.
	 * @return the limit
	 */
	public int maximum() {
		return this.maximum;
	}

	/**
	 * Returns the time to wait before a retry.
	 * @return the time from now on, an estimate
	 */
	public Duration retryAfter() {
		return SOON;
	}

}

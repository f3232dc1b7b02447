package io.kairo.api.sandbox;

import java.util.Locale;

/**
 * The reason why a command could not be started. The codes are stable. New constants are
 * only added at the end.
 */
public enum SandboxErrorCode {

	/** The backend cannot honour a part of the request. */
	UNSUPPORTED_REQUEST,

	/**
	 * The workspace root or the working directory is not a directory that can be entered.
	 */
	INVALID_DIRECTORY,

	/** The command cannot be passed to a shell: it is too long or contains a NUL. */
	INVALID_COMMAND,

	/** The environment cannot be passed to a process. */
	INVALID_ENVIRONMENT,

	/** The backend is not installed, not running or not permitted here. */
	BACKEND_UNAVAILABLE,

	/** The operating system refused to start the process. */
	START_FAILED,

	/** The sandbox was closed. */
	CLOSED,

	/**
	 * The sandbox cannot be set up for the directories of the request; the operator has
	 * to change their permissions.
	 */
	SETUP_FAILED,

	/** The tenant runs its maximum number of commands. */
	TOO_MANY_EXECUTIONS,

	/** The tenant has used up its commands per minute. */
	RATE_LIMITED,

	/** The tenant has used up its budget of the day. */
	BUDGET_EXCEEDED,

	/** The budget of the tenant cannot be checked, since its usage cannot be read. */
	BUDGET_UNAVAILABLE;

	/**
	 * Returns the code as it appears in results.
	 * @return the name in lower case, such as {@code start_failed}
	 */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}

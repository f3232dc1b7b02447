package io.kairo.api.sandbox;

import java.util.Locale;

/**
 * Why a command could not be started at all. The codes are stable. New constants are only
 * ever added at the end.
 *
 * @since 0.1.0
 */
public enum SandboxErrorCode {

	/** A part of the request is something this backend cannot honour. */
	UNSUPPORTED_REQUEST,

	/**
	 * The workspace root or the working directory is no directory that can be entered.
	 */
	INVALID_DIRECTORY,

	/** The command cannot be handed to a shell: too long, or with a NUL in it. */
	INVALID_COMMAND,

	/** The environment cannot be handed to a process. */
	INVALID_ENVIRONMENT,

	/** The backend is not installed, not running or not permitted here. */
	BACKEND_UNAVAILABLE,

	/** The operating system refused to start the process. */
	START_FAILED,

	/** The sandbox was closed. */
	CLOSED;

	/**
	 * Returns the code as it appears in results.
	 * @return the name in lower case, such as {@code start_failed}
	 */
	public String code() {
		return name().toLowerCase(Locale.ROOT);
	}

}

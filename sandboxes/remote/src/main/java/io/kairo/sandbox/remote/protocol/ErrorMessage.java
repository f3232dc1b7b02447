package io.kairo.sandbox.remote.protocol;

/**
 * The reason for refusing a request. Immutable.
 *
 * @param code a stable code in lower case, such as {@code lease_ended} or one of
 * {@link io.kairo.api.sandbox.SandboxErrorCode}
 * @param problem the problem, a sentence without a period
 * @param remedy the remedy, a sentence without a period
 */
public record ErrorMessage(String code, String problem, String remedy) {

	/** There is no such lease, or no longer. */
	public static final String LEASE_ENDED = "lease_ended";

	/** The command was never started, or is closed. */
	public static final String COMMAND_GONE = "command_gone";

	/** The client is not known. */
	public static final String UNAUTHORIZED = "unauthorized";

	/** The client may not act for the tenant, or use the path. */
	public static final String FORBIDDEN = "forbidden";

	/** The request cannot be understood. */
	public static final String INVALID_REQUEST = "invalid_request";

	/** The number belongs to another command, or the input does not continue. */
	public static final String CONFLICT = "conflict";

	/** The worker accepts no more commands for now. */
	public static final String BUSY = "busy";

}

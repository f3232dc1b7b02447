package io.kairo.api.sandbox;

import java.time.Duration;
import java.util.Objects;

/**
 * Thrown when a command was not started, since its tenant has reached a limit.
 */
public class SandboxLimitException extends SandboxException {

	private static final long serialVersionUID = 1L;

	/** The name of the limit. */
	private final String limit;

	/** The value of the limit. */
	private final long maximum;

	/** The time to wait. */
	private final Duration retryAfter;

	/**
	 * Creates an exception.
	 * @param code the reason
	 * @param message a description of the problem, with the value of the limit
	 * @param remedy the remedy, with the time to wait
	 * @param limit the name of the limit, the last part of its property
	 * @param maximum the value of the limit; in seconds for a time, in bytes for an
	 * amount of data
	 * @param retryAfter the time to wait before the next attempt
	 */
	public SandboxLimitException(SandboxErrorCode code, String message, String remedy, String limit, long maximum,
			Duration retryAfter) {
		super(code, message, remedy);
		this.limit = Objects.requireNonNull(limit, "limit");
		this.maximum = maximum;
		this.retryAfter = Objects.requireNonNull(retryAfter, "retryAfter");
	}

	/**
	 * Returns the name of the limit.
	 * @return the last part of its property
	 */
	public String limit() {
		return this.limit;
	}

	/**
	 * Returns the value of the limit.
	 * @return the value; in seconds for a time, in bytes for an amount of data
	 */
	public long maximum() {
		return this.maximum;
	}

	/**
	 * Returns the time to wait before the next attempt.
	 * @return the time
	 */
	public Duration retryAfter() {
		return this.retryAfter;
	}

}

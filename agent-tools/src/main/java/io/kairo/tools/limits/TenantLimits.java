package io.kairo.tools.limits;

import java.time.Duration;
import java.util.Objects;

/**
 * The limits of a tenant. Immutable.
 *
 * @param concurrentExecutions the maximum number of commands that run at the same time,
 * at least 1
 * @param executionsPerMinute the maximum number of commands started in any minute, at
 * least 1; {@link #UNLIMITED} for any number
 * @param callsPerMinute the maximum number of calls, including commands, in any minute,
 * at least 1
 * @param concurrentCalls the maximum number of calls, including commands, that are in
 * progress at the same time, at least 1
 * @param executionWaitTimeout the maximum time that a call waits until its command may
 * run; zero for calls that do not wait
 */
public record TenantLimits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute, int concurrentCalls,
		Duration executionWaitTimeout) {

	/**
	 * The value of a limit that is never reached.
	 */
	public static final int UNLIMITED = Integer.MAX_VALUE;

	/**
	 * Four commands and 100 calls at a time, any number of commands and 3000 calls a
	 * minute. Further commands wait for up to five minutes.
	 */
	public static final TenantLimits DEFAULTS = new TenantLimits(4, UNLIMITED, 3000, 100, Duration.ofMinutes(5));

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a number is below 1, or the time is negative
	 */
	public TenantLimits {
		if (concurrentExecutions < 1 || executionsPerMinute < 1 || callsPerMinute < 1 || concurrentCalls < 1) {
			throw new IllegalArgumentException("concurrentExecutions is " + concurrentExecutions
					+ ", executionsPerMinute is " + executionsPerMinute + ", callsPerMinute is " + callsPerMinute
					+ ", concurrentCalls is " + concurrentCalls + ": each must be at least 1");
		}
		Objects.requireNonNull(executionWaitTimeout, "executionWaitTimeout");
		if (executionWaitTimeout.isNegative()) {
			throw new IllegalArgumentException(
					"executionWaitTimeout is " + executionWaitTimeout + ": it must not be negative");
		}
	}

	/**
	 * Creates the value with the default time to wait.
	 * @param concurrentExecutions the maximum number of commands that run at the same
	 * time
	 * @param executionsPerMinute the maximum number of commands started in any minute
	 * @param callsPerMinute the maximum number of calls in any minute
	 * @param concurrentCalls the maximum number of calls that are in progress at the same
	 * time
	 * @throws IllegalArgumentException if one of them is below 1
	 */
	public TenantLimits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute, int concurrentCalls) {
		this(concurrentExecutions, executionsPerMinute, callsPerMinute, concurrentCalls,
				DEFAULTS.executionWaitTimeout());
	}

	/**
	 * Creates the value with the default number of concurrent calls and the default time
	 * to wait.
	 * @param concurrentExecutions the maximum number of commands that run at the same
	 * time
	 * @param executionsPerMinute the maximum number of commands started in any minute
	 * @param callsPerMinute the maximum number of calls in any minute
	 * @throws IllegalArgumentException if one of them is below 1
	 */
	public TenantLimits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute) {
		this(concurrentExecutions, executionsPerMinute, callsPerMinute, DEFAULTS.concurrentCalls());
	}

}

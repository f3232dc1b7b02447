package io.kairo.tools.limits;

/**
 * The limits of a tenant. Immutable.
 *
 * @param concurrentExecutions the maximum number of commands that run at the same time,
 * at least 1
 * @param executionsPerMinute the maximum number of commands started in any minute, at
 * least 1
 * @param callsPerMinute the maximum number of calls, including commands, in any minute,
 * at least 1
 * @param concurrentCalls the maximum number of calls, including commands, that are in
 * progress at the same time, at least 1
 * @since 0.1.0
 */
public record TenantLimits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute, int concurrentCalls) {

	/**
	 * Four commands and 100 calls at a time, 120 commands and 3000 calls a minute.
	 */
	public static final TenantLimits DEFAULTS = new TenantLimits(4, 120, 3000, 100);

	/**
	 * Creates the value.
	 * @param concurrentExecutions the maximum number of commands that run at the same
	 * time
	 * @param executionsPerMinute the maximum number of commands started in any minute
	 * @param callsPerMinute the maximum number of calls in any minute
	 * @param concurrentCalls the maximum number of calls that are in progress at the same
	 * time
	 * @throws IllegalArgumentException if one of them is below 1
	 */
	public TenantLimits {
		if (concurrentExecutions < 1 || executionsPerMinute < 1 || callsPerMinute < 1 || concurrentCalls < 1) {
			throw new IllegalArgumentException("concurrentExecutions is " + concurrentExecutions
					+ ", executionsPerMinute is " + executionsPerMinute + ", callsPerMinute is " + callsPerMinute
					+ ", concurrentCalls is " + concurrentCalls + ": each must be at least 1");
		}
	}

	/**
	 * Creates the value with the default number of concurrent calls.
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

package io.kairo.tools.limits;

/**
 * How much one tenant may do. Immutable.
 *
 * @param concurrentExecutions how many commands may run at the same time, at least 1
 * @param executionsPerMinute how many commands may be started in a minute, in whichever
 * one looks; at least 1
 * @param callsPerMinute how many calls, commands included, may be made in a minute, in
 * whichever one looks; at least 1
 * @since 0.1.0
 */
public record TenantLimits(int concurrentExecutions, int executionsPerMinute, int callsPerMinute) {

	/**
	 * Four commands at a time, 120 commands and 3000 calls a minute.
	 */
	public static final TenantLimits DEFAULTS = new TenantLimits(4, 120, 3000);

	/**
	 * Creates the value.
	 * @param concurrentExecutions how many commands may run at the same time
	 * @param executionsPerMinute how many commands may be started in a minute
	 * @param callsPerMinute how many calls may be made in a minute
	 * @throws IllegalArgumentException if one of them is below 1
	 */
	public TenantLimits {
		if (concurrentExecutions < 1 || executionsPerMinute < 1 || callsPerMinute < 1) {
			throw new IllegalArgumentException("The limits " + concurrentExecutions + ", " + executionsPerMinute
					+ " and " + callsPerMinute + " must be at least 1");
		}
	}

}

package io.kairo.tools.limits;

/**
 * The usage of a tenant against its limits. Immutable.
 *
 * @param tenant the id of the tenant
 * @param limits its limits
 * @param runningExecutions the number of commands that run now
 * @param executionsLastMinute the number of commands started in the last minute
 * @param callsLastMinute the number of calls in the last minute
 * @param runningCalls the number of calls in progress, including commands
 * @param waitingExecutions the number of calls in progress that wait until their command
 * may run
 */
public record TenantUsage(String tenant, TenantLimits limits, int runningExecutions, long executionsLastMinute,
		long callsLastMinute, int runningCalls, int waitingExecutions) {

	/**
	 * Creates the usage of a tenant without calls that wait.
	 * @param tenant the id of the tenant
	 * @param limits its limits
	 * @param runningExecutions the number of commands that run now
	 * @param executionsLastMinute the number of commands started in the last minute
	 * @param callsLastMinute the number of calls in the last minute
	 * @param runningCalls the number of calls in progress, including commands
	 */
	public TenantUsage(String tenant, TenantLimits limits, int runningExecutions, long executionsLastMinute,
			long callsLastMinute, int runningCalls) {
		this(tenant, limits, runningExecutions, executionsLastMinute, callsLastMinute, runningCalls, 0);
	}

	/**
	 * Creates the usage of a tenant whose calls in progress are its commands.
	 * @param tenant the id of the tenant
	 * @param limits its limits
	 * @param runningExecutions the number of commands that run now
	 * @param executionsLastMinute the number of commands started in the last minute
	 * @param callsLastMinute the number of calls in the last minute
	 */
	public TenantUsage(String tenant, TenantLimits limits, int runningExecutions, long executionsLastMinute,
			long callsLastMinute) {
		this(tenant, limits, runningExecutions, executionsLastMinute, callsLastMinute, runningExecutions);
	}

}

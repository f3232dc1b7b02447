package io.kairo.tools.limits;

/**
 * The usage of a tenant against its limits. Immutable.
 *
 * @param tenant the id of the tenant
 * @param limits its limits
 * @param runningExecutions the number of commands that run now
 * @param executionsLastMinute the number of commands started in the last minute
 * @param callsLastMinute the number of calls in the last minute
 * @since 0.1.0
 */
public record TenantUsage(String tenant, TenantLimits limits, int runningExecutions, long executionsLastMinute,
		long callsLastMinute) {

}

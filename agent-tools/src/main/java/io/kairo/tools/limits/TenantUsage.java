package io.kairo.tools.limits;

/**
 * What one tenant uses of its limits. Immutable.
 *
 * @param tenant the id of the tenant
 * @param limits its limits
 * @param runningExecutions how many of its commands run now
 * @param executionsLastMinute how many commands it has started in the last minute
 * @param callsLastMinute how many calls it has made in the last minute
 * @since 0.1.0
 */
public record TenantUsage(String tenant, TenantLimits limits, int runningExecutions, long executionsLastMinute,
		long callsLastMinute) {

}

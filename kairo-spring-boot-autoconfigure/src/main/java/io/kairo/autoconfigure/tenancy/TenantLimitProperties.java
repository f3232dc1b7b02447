package io.kairo.autoconfigure.tenancy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;

/**
 * Configuration properties for the limits of a tenant. The default entry supplies the
 * limits that are not set.
 *
 * @param concurrentExecutions Maximum number of commands that run at the same time.
 * @param executionWaitTimeout Maximum time that a tool call waits until its command may
 * run. With 0s, it does not wait.
 * @param executionsPerMinute Maximum number of commands that are started per minute.
 * @param callsPerMinute Maximum number of tool calls per minute, including commands.
 * @param concurrentCalls Maximum number of tool calls in progress at the same time,
 * including commands.
 * @param workspaces Maximum number of workspaces that are open at the same time.
 * @since 0.1.0
 */
public record TenantLimitProperties(@Nullable Integer concurrentExecutions,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration executionWaitTimeout,
		@Nullable Integer executionsPerMinute, @Nullable Integer callsPerMinute, @Nullable Integer concurrentCalls,
		@Nullable Integer workspaces) {

	/**
	 * Creates and validates the limits.
	 * @param concurrentExecutions at least 1, may be null
	 * @param executionWaitTimeout not negative, may be null
	 * @param executionsPerMinute at least 1, may be null
	 * @param callsPerMinute at least 1, may be null
	 * @param concurrentCalls at least 1, may be null
	 * @param workspaces at least 1, may be null
	 */
	public TenantLimitProperties {
		requirePositive("concurrent-executions", concurrentExecutions);
		if (executionWaitTimeout != null && executionWaitTimeout.isNegative()) {
			throw invalid("execution-wait-timeout", executionWaitTimeout, "it must not be negative, such as 5m");
		}
		requirePositive("executions-per-minute", executionsPerMinute);
		requirePositive("calls-per-minute", callsPerMinute);
		requirePositive("concurrent-calls", concurrentCalls);
		requirePositive("workspaces", workspaces);
	}

	private static void requirePositive(String name, @Nullable Integer value) {
		if (value != null && value < 1) {
			throw invalid(name, value, "it must be at least 1");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.tenancy.limits.*." + name, value, reason);
	}

}

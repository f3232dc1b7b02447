package io.kairo.autoconfigure.tenancy;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Configuration properties for the limits of a tenant. The default entry supplies the
 * limits that are not set.
 *
 * @param concurrentExecutions Maximum number of commands that run at the same time.
 * @param executionsPerMinute Maximum number of commands that are started per minute.
 * @param callsPerMinute Maximum number of tool calls per minute, including commands.
 * @param concurrentCalls Maximum number of tool calls in progress at the same time,
 * including commands.
 * @param workspaces Maximum number of workspaces that are open at the same time.
 * @since 0.1.0
 */
public record TenantLimitProperties(@Nullable Integer concurrentExecutions, @Nullable Integer executionsPerMinute,
		@Nullable Integer callsPerMinute, @Nullable Integer concurrentCalls, @Nullable Integer workspaces) {

	/**
	 * Creates and validates the limits.
	 * @param concurrentExecutions at least 1, may be null
	 * @param executionsPerMinute at least 1, may be null
	 * @param callsPerMinute at least 1, may be null
	 * @param concurrentCalls at least 1, may be null
	 * @param workspaces at least 1, may be null
	 */
	public TenantLimitProperties {
		requirePositive("concurrent-executions", concurrentExecutions);
		requirePositive("executions-per-minute", executionsPerMinute);
		requirePositive("calls-per-minute", callsPerMinute);
		requirePositive("concurrent-calls", concurrentCalls);
		requirePositive("workspaces", workspaces);
	}

	private static void requirePositive(String name, @Nullable Integer value) {
		if (value != null && value < 1) {
			throw new InvalidConfigurationPropertyValueException("kairo.tenancy.limits.*." + name, value,
					"it must be at least 1");
		}
	}

}

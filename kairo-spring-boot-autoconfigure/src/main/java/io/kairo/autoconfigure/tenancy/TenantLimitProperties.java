package io.kairo.autoconfigure.tenancy;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * How much a tenant may do. What is not set is as for everybody.
 *
 * @param concurrentExecutions how many commands may run at the same time.
 * @param executionsPerMinute how many commands may be started in a minute.
 * @param callsPerMinute how many calls of tools, commands included, may be made in a
 * minute.
 * @param workspaces how many workspaces may be open at the same time.
 * @since 0.1.0
 */
public record TenantLimitProperties(@Nullable Integer concurrentExecutions, @Nullable Integer executionsPerMinute,
		@Nullable Integer callsPerMinute, @Nullable Integer workspaces) {

	/**
	 * Creates the value.
	 * @param concurrentExecutions at least 1, may be null
	 * @param executionsPerMinute at least 1, may be null
	 * @param callsPerMinute at least 1, may be null
	 * @param workspaces at least 1, may be null
	 */
	public TenantLimitProperties {
		requirePositive("concurrent-executions", concurrentExecutions);
		requirePositive("executions-per-minute", executionsPerMinute);
		requirePositive("calls-per-minute", callsPerMinute);
		requirePositive("workspaces", workspaces);
	}

	private static void requirePositive(String name, @Nullable Integer value) {
		if (value != null && value < 1) {
			throw new InvalidConfigurationPropertyValueException("kairo.tenancy.limits.*." + name, value,
					"it must be at least 1");
		}
	}

}

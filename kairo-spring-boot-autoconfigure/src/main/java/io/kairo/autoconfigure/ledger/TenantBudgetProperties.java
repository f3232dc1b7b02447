package io.kairo.autoconfigure.ledger;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the budget of a tenant. The default entry supplies the
 * values that are not set.
 *
 * @param executionsPerDay Maximum number of commands that are started per day.
 * @param cpuTimePerDay CPU time from which on no command is started until the next day.
 * @param outputPerDay Output of commands from which on no command is started until the
 * next day.
 * @since 0.1.0
 */
public record TenantBudgetProperties(@Nullable Long executionsPerDay,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration cpuTimePerDay, @Nullable DataSize outputPerDay) {

	private static final Duration MAX_CPU_TIME = Duration.ofDays(100_000);

	/**
	 * Creates and validates the budget.
	 * @param executionsPerDay at least 1, may be null
	 * @param cpuTimePerDay positive, at most 100,000 days, may be null
	 * @param outputPerDay at least 1 byte, may be null
	 */
	public TenantBudgetProperties {
		if (executionsPerDay != null && executionsPerDay < 1) {
			throw invalid("executions-per-day", executionsPerDay, "it must be at least 1");
		}
		if (cpuTimePerDay != null
				&& (cpuTimePerDay.compareTo(Duration.ZERO) <= 0 || cpuTimePerDay.compareTo(MAX_CPU_TIME) > 0)) {
			throw invalid("cpu-time-per-day", cpuTimePerDay, "it must be positive and at most 100000d, such as 2h");
		}
		if (outputPerDay != null && outputPerDay.toBytes() < 1) {
			throw invalid("output-per-day", outputPerDay, "it must be at least 1B");
		}
	}

	private static InvalidConfigurationPropertyValueException invalid(String name, Object value, String reason) {
		return new InvalidConfigurationPropertyValueException("kairo.budgets.tenants.*." + name, value, reason);
	}

}

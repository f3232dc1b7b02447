package io.kairo.autoconfigure.ledger;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;

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
 */
public record TenantBudgetProperties(@Nullable Long executionsPerDay,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration cpuTimePerDay, @Nullable DataSize outputPerDay) {

	/**
	 * Checks the budget of a tenant.
	 */
	void check(PropertyBounds bounds) {
		bounds.atLeast("executions-per-day", this.executionsPerDay, 1L)
			.positive("cpu-time-per-day", this.cpuTimePerDay)
			.positive("output-per-day", this.outputPerDay);
	}

}

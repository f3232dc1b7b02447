package io.kairo.autoconfigure.tenancy;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import io.kairo.boot.PropertyBounds;
import org.jspecify.annotations.Nullable;
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
 */
public record TenantLimitProperties(@Nullable Integer concurrentExecutions,
		@DurationUnit(ChronoUnit.SECONDS) @Nullable Duration executionWaitTimeout,
		@Nullable Integer executionsPerMinute, @Nullable Integer callsPerMinute, @Nullable Integer concurrentCalls,
		@Nullable Integer workspaces) {

	/**
	 * Checks the limits of a tenant.
	 */
	void check(PropertyBounds bounds) {
		bounds.atLeast("concurrent-executions", this.concurrentExecutions, 1)
			.notNegative("execution-wait-timeout", this.executionWaitTimeout)
			.atLeast("executions-per-minute", this.executionsPerMinute, 1)
			.atLeast("calls-per-minute", this.callsPerMinute, 1)
			.atLeast("concurrent-calls", this.concurrentCalls, 1)
			.atLeast("workspaces", this.workspaces, 1);
	}

}

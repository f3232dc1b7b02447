package io.kairo.autoconfigure.ledger;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Supplier;

import io.kairo.governance.ledger.Budget;
import io.kairo.governance.ledger.BudgetStatus;
import io.kairo.governance.ledger.Budgets;
import io.kairo.governance.ledger.DailyUsage;
import io.kairo.governance.ledger.UsageLedgerException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * {@link Endpoint} for the usage of tenants by day and their budgets.
 */
@Endpoint(id = "kairousage", defaultAccess = Access.READ_ONLY)
public class UsageEndpoint {

	private final Budgets budgets;

	UsageEndpoint(Budgets budgets) {
		this.budgets = budgets;
	}

	/**
	 * Returns the usage of the tenants that have started a command on the current day.
	 * @return the usage, or status 503 if it cannot be read
	 */
	@ReadOperation
	public WebEndpointResponse<?> usage() {
		return read(() -> new Tenants(this.budgets.options().zone().getId(), this.budgets.pendingCharges(),
				this.budgets.statuses().stream().map(UsageEndpoint::today).toList()));
	}

	/**
	 * Returns the usage of a tenant.
	 * @param tenant the id of the tenant
	 * @return the usage of each day that is kept, or status 503 if it cannot be read
	 */
	@ReadOperation
	public WebEndpointResponse<?> days(@Selector String tenant) {
		return read(() -> new Days(today(this.budgets.status(tenant)),
				this.budgets.history(tenant).stream().map(UsageEndpoint::day).toList()));
	}

	private static WebEndpointResponse<?> read(Supplier<Object> usage) {
		try {
			return new WebEndpointResponse<>(usage.get());
		}
		catch (UsageLedgerException ex) {
			return new WebEndpointResponse<>(new Problem(String.valueOf(ex.getMessage())), 503);
		}
	}

	private static Today today(BudgetStatus status) {
		Budget budget = status.budget();
		return new Today(status.usage().tenant(), day(status.usage()),
				new Limits(budget.executions(), budget.cpuTime(), budget.outputBytes()), !budget.allows(status.usage()),
				status.resets());
	}

	private static Day day(DailyUsage usage) {
		return new Day(usage.day(), usage.executions(), usage.cpuTime(), usage.unmeasured(), usage.outputBytes());
	}

	/**
	 * The usage of all tenants on the current day.
	 *
	 * @param zone the time zone of the days
	 * @param pending the number of commands that have ended and are not part of the usage
	 * yet
	 * @param tenants the tenants in the order of their ids
	 */
	public record Tenants(String zone, int pending, List<Today> tenants) {

	}

	/**
	 * The usage of a tenant on all days.
	 *
	 * @param today the current day
	 * @param days the days, the latest first
	 */
	public record Days(Today today, List<Day> days) {

	}

	/**
	 * The usage of a tenant on the current day.
	 *
	 * @param tenant the id of the tenant
	 * @param usage its usage
	 * @param budget its budget
	 * @param exhausted whether further commands are refused until the reset
	 * @param resets the beginning of the next day
	 */
	public record Today(String tenant, Day usage, Limits budget, boolean exhausted, Instant resets) {

	}

	/**
	 * The usage of a day.
	 *
	 * @param day the day
	 * @param executions the number of commands
	 * @param cpuTime the CPU time of the commands with a measurement
	 * @param notMeasured the number of commands that have ended without a measurement of
	 * their CPU time
	 * @param outputBytes the bytes of output
	 */
	public record Day(LocalDate day, long executions, Duration cpuTime, long notMeasured, long outputBytes) {

	}

	/**
	 * The budget of a day.
	 *
	 * @param executionsPerDay the number of commands; null for any number
	 * @param cpuTimePerDay the CPU time; null for none
	 * @param outputBytesPerDay the bytes of output; null for none
	 */
	public record Limits(@Nullable Long executionsPerDay, @Nullable Duration cpuTimePerDay,
			@Nullable Long outputBytesPerDay) {

	}

	/**
	 * A problem.
	 *
	 * @param problem the reason why the usage cannot be read
	 */
	public record Problem(String problem) {

	}

}

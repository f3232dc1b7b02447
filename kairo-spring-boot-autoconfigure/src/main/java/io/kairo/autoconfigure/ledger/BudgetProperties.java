package io.kairo.autoconfigure.ledger;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Map;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaInitialization;
import io.kairo.boot.PropertyBounds;
import io.kairo.governance.ledger.Budget;
import io.kairo.governance.ledger.BudgetOptions;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.convert.DurationUnit;
import org.springframework.util.unit.DataSize;

/**
 * Configuration properties for the budgets of tenants.
 *
 * @param enabled Whether to count the usage of tenants and to enforce their budgets. By
 * default, true if there is a budget.
 * @param ledger Where the usage is kept.
 * @param zone Time zone whose midnight begins a day, such as Europe/Berlin. All instances
 * that share a ledger need the same.
 * @param retention Time for which the usage of a day is kept.
 * @param maxPending Maximum number of commands that run, or have ended and are not
 * charged yet, since the database is down. Further ones are refused.
 * @param timeout Timeout of a statement of the database.
 * @param tenants Budgets by tenant id. The entry default applies to tenants without an
 * entry, and to values that an entry does not set.
 * @param jdbc Ledger of type jdbc.
 */
@ConfigurationProperties("kairo.budgets")
public record BudgetProperties(@Nullable Boolean enabled, @DefaultValue("memory") LedgerType ledger,
		@DefaultValue("UTC") String zone, @DefaultValue("90d") @DurationUnit(ChronoUnit.DAYS) Duration retention,
		@DefaultValue("10000") int maxPending, @DefaultValue("5s") @DurationUnit(ChronoUnit.SECONDS) Duration timeout,
		@DefaultValue Map<String, TenantBudgetProperties> tenants, @DefaultValue Jdbc jdbc) {

	static final String PREFIX = "kairo.budgets";

	private static final PropertyBounds BOUNDS = new PropertyBounds(PREFIX + ".");

	static final String DEFAULT_ENTRY = "default";

	private static final TenantBudgetProperties NOT_SET = new TenantBudgetProperties(null, null, null);

	/**
	 * Creates and validates the properties.
	 * @param retention at least two days
	 * @param maxPending at least 1
	 * @param timeout at least one second
	 */
	public BudgetProperties {
		zoneId(zone);
		BOUNDS.between("retention", retention, Duration.ofDays(2), Duration.ofDays(36_500))
			.atLeast("max-pending", maxPending, 1)
			.between("timeout", timeout, Duration.ofSeconds(1), Duration.ofDays(365));
		JdbcProperties.requireModule(PREFIX + ".ledger", ledger == LedgerType.JDBC);
		tenants = Map.copyOf(tenants);
		tenants.forEach((tenant, budget) -> budget.check(PropertyBounds.ofEntry(PREFIX + ".tenants", tenant)));
	}

	private static ZoneId zoneId(String zone) {
		try {
			return ZoneId.of(zone);
		}
		catch (DateTimeException ex) {
			throw BOUNDS.invalid("zone", zone, "it must be the id of a time zone, such as UTC or Europe/Berlin");
		}
	}

	/**
	 * Returns the settings of budgets.
	 */
	BudgetOptions options() {
		return new BudgetOptions(zoneId(this.zone), Math.toIntExact(this.retention.toDays()), this.maxPending);
	}

	/**
	 * Returns the budget of a tenant: its own, or else the default one.
	 */
	Budget budget(String tenant) {
		TenantBudgetProperties own = this.tenants.getOrDefault(tenant, NOT_SET);
		TenantBudgetProperties common = this.tenants.getOrDefault(DEFAULT_ENTRY, NOT_SET);
		DataSize output = first(own.outputPerDay(), common.outputPerDay());
		return new Budget(first(own.executionsPerDay(), common.executionsPerDay()),
				first(own.cpuTimePerDay(), common.cpuTimePerDay()), (output != null) ? output.toBytes() : null);
	}

	private static <T> @Nullable T first(@Nullable T own, @Nullable T common) {
		return (own != null) ? own : common;
	}

	/**
	 * Configuration properties for the ledger of type jdbc.
	 *
	 * @param initializeSchema When to create the tables: in embedded databases, always,
	 * or never. By default, as kairo.jdbc.initialize-schema.
	 */
	public record Jdbc(@Nullable SchemaInitialization initializeSchema) {

	}

}

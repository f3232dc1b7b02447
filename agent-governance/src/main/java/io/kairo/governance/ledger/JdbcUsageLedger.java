package io.kairo.governance.ledger;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcTransactions;
import io.kairo.governance.jdbc.SchemaInitializer;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in a database, shared by all instances of an application. A command is counted
 * by one statement that updates the row of its tenant and day if that leaves room for it,
 * so that no number of instances starts more commands than a budget has.
 * <p>
 * Each transaction has a connection of its own from the data source. The data source
 * should be a pool. The tables are in {@code schema-h2.sql} and
 * {@code schema-postgresql.sql} beside this class.
 */
public final class JdbcUsageLedger implements UsageLedger {

	/** How often a row is inserted that another instance removes or overtakes. */
	private static final int ATTEMPTS = 5;

	private static final int MAX_NAME = 255;

	/** How long the id of charges is known. */
	private static final Duration KEPT = Duration.ofDays(8);

	private static final String SELECT = "select tenant, usage_day, executions, unmeasured, cpu_nanos, output_bytes"
			+ " from kairo_usage";

	private static final String RESERVE = "update kairo_usage set executions = executions + 1 where tenant = ?"
			+ " and usage_day = ? and executions < ? and cpu_nanos < ? and output_bytes < ?";

	private static final String CHARGE = "update kairo_usage set executions = executions - ?,"
			+ " unmeasured = unmeasured + ?, cpu_nanos = cpu_nanos + ?, output_bytes = output_bytes + ?"
			+ " where tenant = ? and usage_day = ?";

	private final JdbcTransactions database;

	/**
	 * Creates a ledger for a database that has the tables.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcUsageLedger(DataSource dataSource, Duration timeout) {
		this(dataSource, timeout, (connection) -> {
		});
	}

	/**
	 * Creates a ledger. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @param initializer creates the tables
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcUsageLedger(DataSource dataSource, Duration timeout, SchemaInitializer initializer) {
		this.database = new JdbcTransactions(dataSource, timeout, initializer, UsageLedgerException::new);
	}

	@Override
	public Reservation reserve(String tenant, LocalDate day, Budget budget) {
		String name = name(tenant);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<Reservation> reservation = this.database
				.perform((connection) -> reserve(connection, name, latest(connection, name, day), budget));
			if (reservation.isPresent()) {
				return reservation.get();
			}
			this.database.insertUnlessPresent((connection) -> insert(connection, name, latest(connection, name, day)));
		}
		throw new UsageLedgerException(
				"The row of the tenant in kairo_usage changed " + ATTEMPTS + " times while it was needed", null);
	}

	/**
	 * Returns the latest day of a tenant that has a row, unless that is before the given
	 * day.
	 */
	private LocalDate latest(Connection connection, String tenant, LocalDate day) throws SQLException {
		return this.database
			.select(connection,
					"select usage_day from kairo_usage where tenant = ? and usage_day > ?" + " order by usage_day desc",
					(row) -> row.getObject(1, LocalDate.class), tenant, day)
			.stream()
			.findFirst()
			.orElse(day);
	}

	/**
	 * Counts a command in its row.
	 * @return empty if there is no such row, or it leaves room since a moment ago
	 */
	private Optional<Reservation> reserve(Connection connection, String tenant, LocalDate day, Budget budget)
			throws SQLException {
		int updated = this.database.update(connection, RESERVE, tenant, day, maximum(budget.executions()),
				(budget.cpuTime() != null) ? budget.cpuTime().toNanos() : Long.MAX_VALUE,
				maximum(budget.outputBytes()));
		return (updated == 1) ? Optional.of(new Reservation(day, null)) : this.database
			.select(connection, SELECT + " where tenant = ? and usage_day = ?", JdbcUsageLedger::usage, tenant, day)
			.stream()
			.filter((usage) -> !budget.allows(usage))
			.findFirst()
			.map((usage) -> new Reservation(day, usage));
	}

	private static long maximum(@Nullable Long value) {
		return Objects.requireNonNullElse(value, Long.MAX_VALUE);
	}

	private void insert(Connection connection, String tenant, LocalDate day) throws SQLException {
		this.database.update(connection, "insert into kairo_usage (tenant, usage_day, executions, unmeasured,"
				+ " cpu_nanos, output_bytes) values (?, ?, 0, 0, 0, 0)", tenant, day);
	}

	@Override
	public void charge(String id, List<UsageCharge> charges) {
		// the rows of the charges are there, unless they were removed since
		charges.forEach((charge) -> insertIfMissing(name(charge.tenant()), charge.day()));
		this.database.insertUnlessPresent((connection) -> {
			this.database.update(connection, "insert into kairo_usage_charge (charge_id, charged_at) values (?, ?)", id,
					Instant.now());
			for (UsageCharge charge : charges) {
				this.database.update(connection, CHARGE, charge.refunds(), charge.unmeasured(),
						charge.cpuTime().toNanos(), charge.outputBytes(), charge.tenant(), charge.day());
			}
		});
	}

	private void insertIfMissing(String tenant, LocalDate day) {
		List<Long> found = this.database.perform((connection) -> this.database.select(connection,
				"select executions from kairo_usage where tenant = ? and usage_day = ?", (row) -> row.getLong(1),
				tenant, day));
		if (found.isEmpty()) {
			this.database.insertUnlessPresent((connection) -> insert(connection, tenant, day));
		}
	}

	@Override
	public List<DailyUsage> usage(String tenant, LocalDate from) {
		return this.database.perform((connection) -> this.database.select(connection,
				SELECT + " where tenant = ? and usage_day >= ? order by usage_day desc", JdbcUsageLedger::usage,
				name(tenant), from));
	}

	@Override
	public List<DailyUsage> latest(LocalDate from) {
		return this.database.perform((connection) -> this.database.select(connection,
				SELECT + " u where usage_day >= ? and usage_day = (select max(l.usage_day) from kairo_usage l"
						+ " where l.tenant = u.tenant) order by tenant",
				JdbcUsageLedger::usage, from));
	}

	@Override
	public void removeBefore(LocalDate day) {
		this.database.perform(
				(connection) -> this.database.update(connection, "delete from kairo_usage where usage_day < ?", day));
		this.database.perform((connection) -> this.database.update(connection,
				"delete from kairo_usage_charge where charged_at < ?", Instant.now().minus(KEPT)));
	}

	private static DailyUsage usage(ResultSet row) throws SQLException {
		return new DailyUsage(row.getString(1), row.getObject(2, LocalDate.class), row.getLong(3), row.getLong(4),
				Duration.ofNanos(row.getLong(5)), row.getLong(6));
	}

	/**
	 * Returns the id of a tenant. It must not be changed.
	 * @throws UsageLedgerException if a database cannot hold it as it is
	 */
	private static String name(String tenant) {
		if (tenant.length() > MAX_NAME || tenant.codePoints()
			.anyMatch((c) -> Character.isISOControl(c) || Character.getType(c) == Character.SURROGATE)) {
			throw new UsageLedgerException(
					"The id of a tenant, which has " + tenant.length()
							+ " characters, cannot be stored: it has more than " + MAX_NAME + " or control characters",
					null);
		}
		return tenant;
	}

}

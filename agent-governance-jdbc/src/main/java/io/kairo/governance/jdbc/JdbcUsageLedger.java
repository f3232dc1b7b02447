package io.kairo.governance.jdbc;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import javax.sql.DataSource;

import io.kairo.governance.ledger.Budget;
import io.kairo.governance.ledger.DailyUsage;
import io.kairo.governance.ledger.Reservation;
import io.kairo.governance.ledger.UsageCharge;
import io.kairo.governance.ledger.UsageLedger;
import io.kairo.governance.ledger.UsageLedgerException;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.init.DatabasePopulator;

/**
 * A ledger in a database, shared by all instances of an application. A command is counted
 * by one statement that updates the row of its tenant and day if that leaves room for it,
 * so that no number of instances starts more commands than a budget has.
 * <p>
 * Each transaction has a connection of its own from the data source. The data source
 * should be a pool. The tables are in {@code JdbcUsageLedger-h2.sql} and
 * {@code JdbcUsageLedger-postgresql.sql} beside this class.
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

	private final JdbcTransactions jdbc;

	/**
	 * Creates a ledger for a database that has the tables.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcUsageLedger(DataSource dataSource, Duration timeout) {
		this(dataSource, timeout, null);
	}

	/**
	 * Creates a ledger. It does not connect to the database before it is used.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second
	 * @param tables creates the tables if they are missing, null if they are there
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcUsageLedger(DataSource dataSource, Duration timeout, @Nullable DatabasePopulator tables) {
		this.jdbc = new JdbcTransactions(dataSource, timeout, tables,
				(problem, cause) -> new UsageLedgerException(problem + ": " + cause.getMessage(), cause));
	}

	@Override
	public Reservation reserve(String tenant, LocalDate day, Budget budget) {
		String name = name(tenant);
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			Optional<Reservation> reservation = this.jdbc.perform(() -> reserveOn(latest(name, day), name, budget));
			if (reservation.isPresent()) {
				return reservation.get();
			}
			this.jdbc.insertUnlessPresent(() -> insert(name, latest(name, day)));
		}
		throw new UsageLedgerException(
				"The row of the tenant in kairo_usage changed " + ATTEMPTS + " times while it was needed", null);
	}

	/**
	 * Returns the latest day of a tenant that has a row, unless that is before the given
	 * day.
	 */
	private LocalDate latest(String tenant, LocalDate day) {
		String latest = "select max(usage_day) from kairo_usage where tenant = ? and usage_day > ?";
		return Objects.requireNonNullElse(this.jdbc.queryForObject(latest, LocalDate.class, tenant, day), day);
	}

	/**
	 * Counts a command in its row.
	 * @return empty if there is no such row, or it leaves room since a moment ago
	 */
	private Optional<Reservation> reserveOn(LocalDate day, String tenant, Budget budget) {
		int updated = this.jdbc.update(RESERVE, tenant, day, maximum(budget.executions()),
				(budget.cpuTime() != null) ? budget.cpuTime().toNanos() : Long.MAX_VALUE,
				maximum(budget.outputBytes()));
		return (updated == 1) ? Optional.of(new Reservation(day, null))
				: select(" where tenant = ? and usage_day = ?", tenant, day).stream()
					.filter((usage) -> !budget.allows(usage))
					.findFirst()
					.map((usage) -> new Reservation(day, usage));
	}

	private static long maximum(@Nullable Long value) {
		return Objects.requireNonNullElse(value, Long.MAX_VALUE);
	}

	private int insert(String tenant, LocalDate day) {
		return this.jdbc
			.update("insert into kairo_usage (tenant, usage_day, executions, unmeasured, cpu_nanos, output_bytes)"
					+ " values (?, ?, 0, 0, 0, 0)", tenant, day);
	}

	@Override
	public void charge(String id, List<UsageCharge> charges) {
		// the rows of the charges are there, unless they were removed since
		charges.forEach((charge) -> insertIfMissing(name(charge.tenant()), charge.day()));
		this.jdbc.insertUnlessPresent(() -> {
			this.jdbc.update("insert into kairo_usage_charge (charge_id, charged_at) values (?, ?)", id,
					JdbcTransactions.time(Instant.now()));
			for (UsageCharge charge : charges) {
				this.jdbc.update(CHARGE, charge.refunds(), charge.unmeasured(), charge.cpuTime().toNanos(),
						charge.outputBytes(), charge.tenant(), charge.day());
			}
			return true;
		});
	}

	private void insertIfMissing(String tenant, LocalDate day) {
		if (this.jdbc.perform(() -> select(" where tenant = ? and usage_day = ?", tenant, day)).isEmpty()) {
			this.jdbc.insertUnlessPresent(() -> insert(tenant, day));
		}
	}

	@Override
	public List<DailyUsage> usage(String tenant, LocalDate from) {
		String name = name(tenant);
		return this.jdbc
			.perform(() -> select(" where tenant = ? and usage_day >= ? order by usage_day desc", name, from));
	}

	@Override
	public List<DailyUsage> latest(LocalDate from) {
		return this.jdbc
			.perform(() -> select(" u where usage_day >= ? and usage_day = (select max(l.usage_day) from kairo_usage l"
					+ " where l.tenant = u.tenant) order by tenant", from));
	}

	@Override
	public void removeBefore(LocalDate day) {
		this.jdbc.perform(() -> this.jdbc.update("delete from kairo_usage where usage_day < ?", day));
		this.jdbc.perform(() -> this.jdbc.update("delete from kairo_usage_charge where charged_at < ?",
				JdbcTransactions.time(Instant.now().minus(KEPT))));
	}

	private List<DailyUsage> select(String condition, Object... values) {
		return this.jdbc.query(SELECT + condition, (row, number) -> usage(row), values);
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

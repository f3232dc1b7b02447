package io.kairo.governance.ledger;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.governance.jdbc.JdbcUsageLedger;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * The contract of {@link JdbcUsageLedger} with a database.
 */
abstract class JdbcUsageLedgerContract extends UsageLedgerContract {

	/**
	 * Returns a database with the tables, the same for all calls in a test.
	 */
	abstract DataSource database();

	static void createTables(DataSource database, String schema) throws Exception {
		try (InputStream script = JdbcUsageLedger.class.getResourceAsStream(schema);
				Connection connection = database.getConnection();
				Statement statement = connection.createStatement()) {
			for (String sql : new String(Objects.requireNonNull(script).readAllBytes(), StandardCharsets.UTF_8)
				.split(";")) {
				if (!sql.isBlank()) {
					statement.execute(sql);
				}
			}
		}
	}

	@Override
	UsageLedger open() {
		return new JdbcUsageLedger(database(), Duration.ofSeconds(10));
	}

	@Test
	void reservationWhoseCommitIsNotKnownIsNoReservation() {
		FaultyDatabase faulty = new FaultyDatabase(database());
		UsageLedger ledger = new JdbcUsageLedger(faulty.dataSource(), Duration.ofSeconds(10));
		ledger.reserve("acme", DAY, executions(3));
		faulty.loseAnswers(1);
		assertThatExceptionOfType(UsageLedgerException.class)
			.isThrownBy(() -> ledger.reserve("acme", DAY, executions(3)))
			.withMessageContaining("The answer was lost");
		assertThat(open().usage("acme", DAY)).extracting(DailyUsage::executions).containsExactly(2L);
	}

	@Test
	void chargesWhoseCommitIsNotKnownAreAddedOnce() {
		FaultyDatabase faulty = new FaultyDatabase(database());
		UsageLedger ledger = new JdbcUsageLedger(faulty.dataSource(), Duration.ofSeconds(10));
		ledger.reserve("acme", DAY, executions(3));
		List<UsageCharge> charges = List.of(UsageCharge.ended("acme", DAY, Duration.ofSeconds(2), 10));
		for (int lost = 1; lost <= 3; lost++) {
			faulty.loseAnswers(lost);
			assertThatExceptionOfType(UsageLedgerException.class).isThrownBy(() -> ledger.charge("one", charges));
		}
		faulty.loseAnswers(0);
		ledger.charge("one", charges);
		ledger.charge("one", charges);
		assertThat(open().usage("acme", DAY))
			.containsExactly(new DailyUsage("acme", DAY, 1, 0, Duration.ofSeconds(2), 10));
	}

	@Test
	void unknownTableIsAFailure() {
		UsageLedger ledger = open();
		ledger.removeBefore(DAY);
		assertThatExceptionOfType(UsageLedgerException.class).isThrownBy(() -> {
			try (Connection connection = database().getConnection(); Statement drop = connection.createStatement()) {
				drop.execute("drop table kairo_usage");
			}
			ledger.reserve("acme", DAY, executions(1));
		});
	}

	@Test
	void tablesAreCreatedWhenTheDatabaseIsThere() {
		FaultyDatabase faulty = new FaultyDatabase(database());
		AtomicInteger created = new AtomicInteger();
		UsageLedger ledger = new JdbcUsageLedger(faulty.dataSource(), Duration.ofSeconds(10),
				(connection) -> created.incrementAndGet());
		faulty.down(true);
		assertThatExceptionOfType(UsageLedgerException.class)
			.isThrownBy(() -> ledger.reserve("acme", DAY, executions(1)));
		assertThat(created).hasValue(0);
		faulty.down(false);
		assertThat(ledger.reserve("acme", DAY, executions(1)).exhausted()).isNull();
		ledger.reserve("acme", DAY, executions(1));
		assertThat(created).hasValue(1);
	}

	@Test
	void commandsAreRefusedWhileTheDatabaseIsDownAndChargedLater() {
		FaultyDatabase faulty = new FaultyDatabase(database());
		faulty.down(true);
		try (Budgets budgets = new Budgets(new JdbcUsageLedger(faulty.dataSource(), Duration.ofSeconds(10)),
				(tenant) -> executions(10), BudgetOptions.DEFAULTS, Clock.systemUTC())) {
			assertUnavailable(budgets);
			faulty.down(false);
			ReservedCommand command = budgets.reserve("acme");
			faulty.down(true);
			command.ended(Duration.ofSeconds(1), 10);
			assertUnavailable(budgets);
			assertThat(budgets.pendingCharges()).isEqualTo(1);
			faulty.down(false);
			await().until(() -> budgets.pendingCharges() == 0);
			assertThat(budgets.status("acme").usage())
				.extracting(DailyUsage::executions, DailyUsage::cpuTime, DailyUsage::outputBytes)
				.containsExactly(1L, Duration.ofSeconds(1), 10L);
		}
	}

	private static void assertUnavailable(Budgets budgets) {
		assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> budgets.reserve("acme"))
			.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BUDGET_UNAVAILABLE))
			.satisfies((ex) -> assertThat(ex).hasMessageNotContaining("database is down"))
			.withRootCauseInstanceOf(SQLException.class);
	}

	@Test
	void idThatCannotBeKeptAsItIsIsRefused() {
		UsageLedger ledger = open();
		for (String tenant : List.of("a".repeat(256), "acme\0", "acme\ud800")) {
			assertThatExceptionOfType(UsageLedgerException.class)
				.isThrownBy(() -> ledger.reserve(tenant, DAY, executions(1)));
		}
	}

}

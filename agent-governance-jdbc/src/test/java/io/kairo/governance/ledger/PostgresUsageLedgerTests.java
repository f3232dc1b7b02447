package io.kairo.governance.ledger;

import java.time.Duration;

import javax.sql.DataSource;

import io.kairo.governance.audit.PostgresServer;
import io.kairo.governance.audit.SilentRelay;
import io.kairo.governance.jdbc.JdbcUsageLedger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JdbcUsageLedger} with PostgreSQL.
 */
@ExtendWith(PostgresServer.Extension.class)
class PostgresUsageLedgerTests extends JdbcUsageLedgerContract {

	private final DataSource database;

	PostgresUsageLedgerTests(PostgresServer server) throws Exception {
		this.database = server.newDatabase();
		createTables(this.database, "JdbcUsageLedger-postgresql.sql");
	}

	@Override
	DataSource database() {
		return this.database;
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void databaseThatIsCutOffFailsTheReservationAndHoldsNoOther() throws Exception {
		try (SilentRelay relay = new SilentRelay(this.database)) {
			UsageLedger ledger = new JdbcUsageLedger(relay.dataSource(), Duration.ofSeconds(1));
			ledger.reserve("acme", DAY, executions(3));
			relay.silentAt("COMMIT");
			assertThatExceptionOfType(UsageLedgerException.class)
				.isThrownBy(() -> ledger.reserve("acme", DAY, executions(3)))
				.withMessageContaining("does not answer");
			// the transaction that was cut off had locked the row
			assertThat(open().reserve("acme", DAY, executions(3)).exhausted()).isNull();
			relay.restore();
			assertThat(ledger.reserve("acme", DAY, executions(3)).exhausted()).isNull();
			assertThat(ledger.reserve("acme", DAY, executions(3)).exhausted()).isNotNull();
		}
	}

}

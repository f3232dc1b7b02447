package io.kairo.governance.audit;

import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcAuditSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link JdbcAuditSink} with PostgreSQL.
 */
@ExtendWith(PostgresServer.Extension.class)
class PostgresAuditSinkTests extends JdbcAuditSinkContract {

	private final DataSource database;

	PostgresAuditSinkTests(PostgresServer server) throws Exception {
		this.database = server.newDatabase();
		createTables(this.database, "JdbcAuditSink-postgresql.sql");
	}

	@Override
	DataSource database() {
		return this.database;
	}

	@Test
	@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
	void databaseThatIsCutOffFailsTheRecordsAndIsUsedAgain() throws Exception {
		try (SilentRelay relay = new SilentRelay(this.database);
				JdbcAuditSink sink = new JdbcAuditSink(relay.dataSource(), "kairo", new HashChain(),
						Duration.ofSeconds(1));
				AuditSink other = new JdbcAuditSink(this.database, "kairo", new HashChain(), Duration.ofSeconds(10))) {
			sink.append(List.of(AuditRecords.record("Read")));
			relay.silentAt("insert into");
			assertThatExceptionOfType(AuditException.class)
				.isThrownBy(() -> sink.append(List.of(AuditRecords.record("Write"))));
			relay.restore();
			// the transaction that was cut off had locked the chain
			other.append(List.of(AuditRecords.record("Read")));
			sink.append(List.of(AuditRecords.record("Write")));
			assertThat(sink.head().orElseThrow().sequence()).isEqualTo(3);
		}
	}

}

package io.kairo.governance.ledger;

import javax.sql.DataSource;

import io.kairo.governance.audit.PostgresServer;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests for {@link JdbcUsageLedger} with PostgreSQL.
 */
@ExtendWith(PostgresServer.Extension.class)
class PostgresUsageLedgerTests extends JdbcUsageLedgerContract {

	private final DataSource database;

	PostgresUsageLedgerTests(PostgresServer server) throws Exception {
		this.database = server.newDatabase();
		createTables(this.database, "schema-postgresql.sql");
	}

	@Override
	DataSource database() {
		return this.database;
	}

}

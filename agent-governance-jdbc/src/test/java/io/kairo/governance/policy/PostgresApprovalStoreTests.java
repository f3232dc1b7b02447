package io.kairo.governance.policy;

import javax.sql.DataSource;

import io.kairo.governance.audit.PostgresServer;
import io.kairo.governance.jdbc.JdbcApprovalStore;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests for {@link JdbcApprovalStore} with PostgreSQL.
 */
@ExtendWith(PostgresServer.Extension.class)
class PostgresApprovalStoreTests extends JdbcApprovalStoreContract {

	private final DataSource database;

	PostgresApprovalStoreTests(PostgresServer server) throws Exception {
		this.database = server.newDatabase();
		createTables(this.database, "JdbcApprovalStore-postgresql.sql");
	}

	@Override
	DataSource database() {
		return this.database;
	}

}

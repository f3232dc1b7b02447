package io.kairo.governance.audit;

import javax.sql.DataSource;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Tests for {@link JdbcAuditSink} with PostgreSQL.
 */
@ExtendWith(PostgresServer.Extension.class)
class PostgresAuditSinkTests extends JdbcAuditSinkContract {

	private final DataSource database;

	PostgresAuditSinkTests(PostgresServer server) throws Exception {
		this.database = server.newDatabase();
		createTables(this.database, "schema-postgresql.sql");
	}

	@Override
	DataSource database() {
		return this.database;
	}

}

package io.kairo.governance.audit;

import java.util.UUID;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcAuditSink;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;

/**
 * Tests for {@link JdbcAuditSink} with H2.
 */
class H2AuditSinkTests extends JdbcAuditSinkContract {

	private JdbcConnectionPool pool;

	@Override
	synchronized DataSource database() {
		if (this.pool == null) {
			this.pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
			try {
				createTables(this.pool, "JdbcAuditSink-h2.sql");
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}
		return this.pool;
	}

	@AfterEach
	void dispose() {
		this.pool.dispose();
	}

}

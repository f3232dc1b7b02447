package io.kairo.governance.ledger;

import java.util.UUID;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcUsageLedger;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests for {@link JdbcUsageLedger} with H2.
 */
class H2UsageLedgerTests extends JdbcUsageLedgerContract {

	private JdbcConnectionPool pool;

	@BeforeEach
	void create() throws Exception {
		this.pool = JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
		createTables(this.pool, "JdbcUsageLedger-h2.sql");
	}

	@AfterEach
	void dispose() {
		this.pool.dispose();
	}

	@Override
	DataSource database() {
		return this.pool;
	}

}

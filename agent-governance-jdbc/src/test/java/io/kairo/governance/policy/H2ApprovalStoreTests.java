package io.kairo.governance.policy;

import java.util.UUID;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcApprovalStore;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * Tests for {@link JdbcApprovalStore} with H2.
 */
class H2ApprovalStoreTests extends JdbcApprovalStoreContract {

	private JdbcConnectionPool pool;

	@BeforeEach
	void create() throws Exception {
		this.pool = JdbcConnectionPool
			.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1;QUERY_CACHE_SIZE=64", "sa", "");
		createTables(this.pool, "JdbcApprovalStore-h2.sql");
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

package io.kairo.governance.jdbc;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.CannotAcquireLockException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link JdbcTransactions}.
 */
class JdbcTransactionsTests {

	private final JdbcConnectionPool pool = JdbcConnectionPool
		.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");

	private final JdbcTransactions transactions = new JdbcTransactions(this.pool, Duration.ofSeconds(1),
			(connection) -> connection.createStatement().execute("create table if not exists t (id int)"),
			IllegalStateException::new);

	@AfterEach
	void dispose() {
		this.pool.dispose();
	}

	private int insert() {
		return this.transactions.perform(() -> this.transactions.update("insert into t (id) values (1)"));
	}

	private List<Integer> rows() {
		return new JdbcTemplate(this.pool).queryForList("select id from t", Integer.class);
	}

	@Test
	void transactionOfTheApplicationIsNotJoined() {
		new TransactionTemplate(new DataSourceTransactionManager(this.pool)).executeWithoutResult((status) -> {
			insert();
			status.setRollbackOnly();
		});
		assertThat(rows()).hasSize(1);
	}

	@Test
	void transactionThatIsRolledBackIsBegunAgain() {
		AtomicInteger attempts = new AtomicInteger();
		this.transactions.perform(() -> {
			this.transactions.update("insert into t (id) values (1)");
			if (attempts.incrementAndGet() < 3) {
				throw new CannotAcquireLockException("Lost", new SQLException("Lost", "40001"));
			}
			return true;
		});
		assertThat(rows()).hasSize(1);
		assertThatIllegalStateException().isThrownBy(() -> this.transactions.perform(() -> {
			attempts.incrementAndGet();
			throw new CannotAcquireLockException("Lost", new SQLException("Lost", "40001"));
		})).withMessageContaining("does not answer").withRootCauseInstanceOf(SQLException.class);
		assertThat(attempts).hasValue(23);
	}

	@Test
	void boundOfAConnectionIsRestored() {
		List<Integer> bounds = new ArrayList<>();
		JdbcTransactions bounded = new JdbcTransactions(new DelegatingDataSource(this.pool) {

			@Override
			public Connection getConnection() throws SQLException {
				Connection connection = super.getConnection();
				return (Connection) Proxy.newProxyInstance(Connection.class.getClassLoader(),
						new Class<?>[] { Connection.class }, (proxy, method, arguments) -> {
							if (method.getName().equals("setNetworkTimeout")) {
								bounds.add((Integer) arguments[1]);
								return null;
							}
							return method.getName().equals("getNetworkTimeout") ? 60_000
									: method.invoke(connection, arguments);
						});
			}

		}, Duration.ofSeconds(1), null, IllegalStateException::new);
		assertThat(bounded.perform(() -> bounded.queryForList("select 1", Integer.class))).containsExactly(1);
		assertThat(bounds).containsExactly(2_000, 60_000);
	}

}

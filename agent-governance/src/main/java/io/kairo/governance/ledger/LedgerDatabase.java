package io.kairo.governance.ledger;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import io.kairo.governance.audit.JdbcAuditSink.SchemaInitializer;

/**
 * Transactions and statements of the data source of a ledger. Safe for use by several
 * threads.
 */
final class LedgerDatabase {

	/** How often a transaction is begun again that the database has rolled back. */
	private static final int ATTEMPTS = 20;

	/** The class of states of a transaction that was rolled back. */
	private static final String ROLLED_BACK = "40";

	/** The class of states of a violated constraint. */
	private static final String CONSTRAINT = "23";

	private final DataSource dataSource;

	private final int timeoutSeconds;

	private final SchemaInitializer initializer;

	/** Guarded by the initializer. */
	private boolean initialized;

	LedgerDatabase(DataSource dataSource, Duration timeout, SchemaInitializer initializer) {
		if (timeout.toSeconds() < 1) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be at least one second");
		}
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.initializer = Objects.requireNonNull(initializer, "initializer");
		this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
	}

	/**
	 * Performs work in a transaction.
	 * @throws UsageLedgerException if it fails, or its end is not known
	 */
	<T> T perform(Work<T> work) {
		SQLException failure = null;
		for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
			try {
				return transaction(work);
			}
			catch (SQLException ex) {
				failure = ex;
				if (!hasState(ex, ROLLED_BACK)) {
					break;
				}
			}
		}
		throw failure(Objects.requireNonNull(failure));
	}

	/**
	 * Performs work in a transaction that may violate a unique key.
	 * @return false if it does, so that nothing was written
	 * @throws UsageLedgerException if it fails otherwise, or its end is not known
	 */
	boolean insertUnlessPresent(Insert insert) {
		return perform((connection) -> {
			try {
				insert.perform(connection);
				return true;
			}
			catch (SQLException ex) {
				if (!hasState(ex, CONSTRAINT)) {
					throw ex;
				}
				connection.rollback();
				return false;
			}
		});
	}

	private static boolean hasState(SQLException ex, String stateClass) {
		return String.valueOf(ex.getSQLState()).startsWith(stateClass);
	}

	private static UsageLedgerException failure(Exception ex) {
		return new UsageLedgerException("The database of the usage of tenants does not answer: " + ex.getMessage(), ex);
	}

	private <T> T transaction(Work<T> work) throws SQLException {
		try (Connection connection = connect()) {
			boolean automatic = connection.getAutoCommit();
			connection.setAutoCommit(false);
			try {
				T result = work.perform(connection);
				connection.commit();
				return result;
			}
			catch (SQLException | RuntimeException ex) {
				rollback(connection, ex);
				throw ex;
			}
			finally {
				if (automatic && !connection.isClosed()) {
					connection.setAutoCommit(true);
				}
			}
		}
	}

	/**
	 * Returns a connection to a database that has the tables. Pools and scripts may fail
	 * with exceptions of their own.
	 */
	private Connection connect() throws SQLException {
		Connection connection = null;
		try {
			connection = this.dataSource.getConnection();
			synchronized (this.initializer) {
				if (!this.initialized) {
					this.initializer.initialize(connection);
					this.initialized = true;
				}
			}
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			if (connection != null) {
				connection.close();
			}
			throw failure(ex);
		}
	}

	private static void rollback(Connection connection, Exception failure) {
		try {
			connection.rollback();
		}
		catch (SQLException ex) {
			failure.addSuppressed(ex);
		}
	}

	int update(Connection connection, String sql, Object... values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, values)) {
			return statement.executeUpdate();
		}
	}

	<T> List<T> select(Connection connection, String sql, Row<T> row, Object... values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, values);
				ResultSet result = statement.executeQuery()) {
			List<T> rows = new ArrayList<>();
			while (result.next()) {
				rows.add(row.read(result));
			}
			return rows;
		}
	}

	private PreparedStatement prepare(Connection connection, String sql, Object[] values) throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		try {
			statement.setQueryTimeout(this.timeoutSeconds);
			for (int i = 0; i < values.length; i++) {
				statement.setObject(i + 1, values[i]);
			}
			return statement;
		}
		catch (SQLException | RuntimeException ex) {
			statement.close();
			throw ex;
		}
	}

	/**
	 * The work of a transaction.
	 *
	 * @param <T> the type of its result
	 */
	@FunctionalInterface
	interface Work<T> {

		T perform(Connection connection) throws SQLException;

	}

	/**
	 * The work of a transaction without result.
	 */
	@FunctionalInterface
	interface Insert {

		void perform(Connection connection) throws SQLException;

	}

	/**
	 * Reads the current row of a result.
	 *
	 * @param <T> the type of the value
	 */
	@FunctionalInterface
	interface Row<T> {

		T read(ResultSet result) throws SQLException;

	}

}

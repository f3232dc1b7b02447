package io.kairo.governance.policy;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLIntegrityConstraintViolationException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import javax.sql.DataSource;

import io.kairo.governance.audit.JdbcAuditSink.SchemaInitializer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions and statements of a data source. Safe for use by several threads.
 */
final class JdbcSession {

	private final DataSource dataSource;

	private final int timeoutSeconds;

	private final SchemaInitializer initializer;

	/** Guarded by the initializer. */
	private boolean initialized;

	JdbcSession(DataSource dataSource, Duration timeout, SchemaInitializer initializer) {
		if (timeout.toSeconds() < 1) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be at least one second");
		}
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.initializer = Objects.requireNonNull(initializer, "initializer");
		this.timeoutSeconds = Math.toIntExact(timeout.toSeconds());
	}

	/**
	 * Performs work in a transaction.
	 * @throws ApprovalStoreException if it fails
	 */
	<T> T query(Work<T> work) {
		try {
			return perform(work);
		}
		catch (SQLException ex) {
			throw failure(ex);
		}
	}

	/**
	 * Performs work in a transaction that may violate a unique key.
	 * @return false if it does, so that nothing was written
	 * @throws ApprovalStoreException if it fails otherwise
	 */
	boolean insertUnlessPresent(Insert insert) {
		try {
			return perform((connection) -> {
				insert.perform(connection);
				return true;
			});
		}
		catch (SQLException ex) {
			if (ex instanceof SQLIntegrityConstraintViolationException
					|| String.valueOf(ex.getSQLState()).startsWith("23")) {
				return false;
			}
			throw failure(ex);
		}
	}

	private static ApprovalStoreException failure(Exception ex) {
		return new ApprovalStoreException("The database of approvals does not answer: " + ex.getMessage(), ex);
	}

	private <T> T perform(Work<T> work) throws SQLException {
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
				restore(connection, automatic);
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
			initialize(connection);
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			if (connection != null) {
				connection.close();
			}
			throw failure(ex);
		}
	}

	private void initialize(Connection connection) throws SQLException {
		synchronized (this.initializer) {
			if (!this.initialized) {
				this.initializer.initialize(connection);
				this.initialized = true;
			}
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

	/**
	 * Restores the mode of a connection, which a broken one does not have.
	 */
	private static void restore(Connection connection, boolean automatic) throws SQLException {
		if (automatic && !connection.isClosed()) {
			connection.setAutoCommit(true);
		}
	}

	int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, values)) {
			return statement.executeUpdate();
		}
	}

	<T> List<T> select(Connection connection, String sql, Row<T> row, @Nullable Object... values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, values);
				ResultSet result = statement.executeQuery()) {
			List<T> rows = new ArrayList<>();
			while (result.next()) {
				rows.add(row.read(result));
			}
			return rows;
		}
	}

	private PreparedStatement prepare(Connection connection, String sql, @Nullable Object[] values)
			throws SQLException {
		PreparedStatement statement = connection.prepareStatement(sql);
		try {
			statement.setQueryTimeout(this.timeoutSeconds);
			for (int i = 0; i < values.length; i++) {
				if (values[i] instanceof Instant time) {
					statement.setObject(i + 1, time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC));
				}
				else {
					statement.setString(i + 1, (String) values[i]);
				}
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

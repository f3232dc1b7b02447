package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

/**
 * Transactions and statements of a data source, each transaction with a connection of its
 * own. Safe for use by several threads.
 */
public final class JdbcTransactions {

	/** How often a transaction is begun again that the database has rolled back. */
	private static final int ATTEMPTS = 20;

	/** The class of states of a transaction that was rolled back. */
	private static final String ROLLED_BACK = "40";

	/** The class of states of a connection that fails. */
	private static final String CONNECTION = "08";

	/** The states of a table that does not exist, of H2 and of PostgreSQL. */
	private static final Set<String> MISSING = Set.of("42S02", "42S03", "42S04", "42P01");

	private static final String NO_ANSWER = "The database does not answer";

	/** The class of states of a violated constraint. */
	private static final String CONSTRAINT = "23";

	private final DataSource dataSource;

	private final Duration timeout;

	private final SchemaInitializer initializer;

	private final BiFunction<String, Exception, ? extends RuntimeException> failures;

	/** Guarded by the initializer. */
	private boolean initialized;

	/**
	 * Creates the transactions. Does not connect to the database.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second; a database that
	 * does not answer at all is given up after twice that time
	 * @param initializer creates the tables with the first connection
	 * @param failures creates the exception of a failure from its message and cause
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	public JdbcTransactions(DataSource dataSource, Duration timeout, SchemaInitializer initializer,
			BiFunction<String, Exception, ? extends RuntimeException> failures) {
		if (timeout.toSeconds() < 1) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be at least one second");
		}
		this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
		this.initializer = Objects.requireNonNull(initializer, "initializer");
		this.failures = Objects.requireNonNull(failures, "failures");
		this.timeout = timeout;
	}

	/**
	 * Performs work in a transaction, again if the database rolls it back.
	 * @param <T> the type of its result
	 * @param work the work
	 * @return its result
	 * @throws RuntimeException if it fails, or its end is not known
	 */
	public <T> T perform(Work<T> work) {
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
		throw failure(problem(Objects.requireNonNull(failure)), failure);
	}

	/**
	 * Performs work in a transaction that may violate a unique key.
	 * @param insert the work
	 * @return false if it does, so that nothing was written
	 * @throws RuntimeException if it fails otherwise, or its end is not known
	 */
	public boolean insertUnlessPresent(Insert insert) {
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

	/**
	 * Returns whether a statement failed since its table does not exist.
	 * @param ex the failure
	 * @return whether the table is missing
	 */
	public static boolean isMissingTable(SQLException ex) {
		return MISSING.contains(String.valueOf(ex.getSQLState()));
	}

	private static boolean hasState(SQLException ex, String stateClass) {
		return String.valueOf(ex.getSQLState()).startsWith(stateClass);
	}

	/**
	 * Describes the failure of a statement by the class of its state.
	 */
	private static String problem(SQLException ex) {
		if (isMissingTable(ex)) {
			return "A table is missing in the database";
		}
		return (hasState(ex, CONNECTION) || ex instanceof SQLTransientException || ex instanceof SQLRecoverableException
				|| ex instanceof SQLNonTransientConnectionException) ? NO_ANSWER : "The database has failed";
	}

	private RuntimeException failure(String problem, Exception ex) {
		return this.failures.apply(problem + ": " + ex.getMessage(), ex);
	}

	private <T> T transaction(Work<T> work) throws SQLException {
		try (Connection connection = connect(); NetworkTimeout unused = NetworkTimeout.of(connection, this.timeout)) {
			boolean automatic = connection.getAutoCommit();
			connection.setAutoCommit(false);
			try {
				LostTransactions.end(connection, this.timeout);
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
					initialize(connection);
					this.initialized = true;
				}
			}
			return connection;
		}
		catch (SQLException | RuntimeException ex) {
			if (connection == null) {
				throw failure(NO_ANSWER, ex);
			}
			connection.close();
			throw failure("The tables of the database cannot be used", ex);
		}
	}

	private void initialize(Connection connection) throws SQLException {
		try (NetworkTimeout unused = NetworkTimeout.of(connection, this.timeout)) {
			this.initializer.initialize(connection);
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
	 * Changes rows.
	 * @param connection the connection of a transaction
	 * @param sql the statement
	 * @param values its parameters: an {@link Instant} for a time, else as the driver
	 * accepts them
	 * @return the number of rows
	 * @throws SQLException if that fails
	 */
	public int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
		try (PreparedStatement statement = prepare(connection, sql, values)) {
			return statement.executeUpdate();
		}
	}

	/**
	 * Reads rows.
	 * @param <T> the type of the values
	 * @param connection the connection of a transaction
	 * @param sql the query
	 * @param row reads a row
	 * @param values the parameters of the query, as for an update
	 * @return the value of each row
	 * @throws SQLException if that fails
	 */
	public <T> List<T> select(Connection connection, String sql, Row<T> row, @Nullable Object... values)
			throws SQLException {
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
			statement.setQueryTimeout(Math.toIntExact(this.timeout.toSeconds()));
			for (int i = 0; i < values.length; i++) {
				statement.setObject(i + 1, (values[i] instanceof Instant time)
						? time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC) : values[i]);
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
	public interface Work<T> {

		/**
		 * Performs the work.
		 * @param connection the connection
		 * @return the result
		 * @throws SQLException if it fails; nothing is written then
		 */
		T perform(Connection connection) throws SQLException;

	}

	/**
	 * The work of a transaction without result.
	 */
	@FunctionalInterface
	public interface Insert {

		/**
		 * Performs the work.
		 * @param connection the connection
		 * @throws SQLException if it fails; nothing is written then
		 */
		void perform(Connection connection) throws SQLException;

	}

	/**
	 * Reads the current row of a result.
	 *
	 * @param <T> the type of the value
	 */
	@FunctionalInterface
	public interface Row<T> {

		/**
		 * Reads the row.
		 * @param result the result at the row
		 * @return the value
		 * @throws SQLException if that fails
		 */
		T read(ResultSet result) throws SQLException;

	}

}

package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedRuntimeException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.init.DatabasePopulator;
import org.springframework.jdbc.datasource.init.ScriptException;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.CannotCreateTransactionException;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The statements and transactions of a data source. Each transaction has a connection of
 * its own, whatever transactions the application has. Safe for use by several threads.
 */
public final class JdbcTransactions extends JdbcTemplate {

	/** How often a transaction is begun again that the database has rolled back. */
	private static final int ATTEMPTS = 20;

	/** The states of a table that does not exist, of H2 and of PostgreSQL. */
	private static final Set<String> MISSING = Set.of("42S02", "42S03", "42S04", "42P01");

	private static final String NO_ANSWER = "The database does not answer";

	private final TransactionTemplate transactions;

	private final String endIfLost;

	private final @Nullable DatabasePopulator tables;

	private final BiFunction<String, Throwable, ? extends RuntimeException> failures;

	private volatile boolean initialized;

	/**
	 * Creates the transactions. Does not connect to the database.
	 * @param dataSource the data source
	 * @param timeout the timeout of a statement, at least one second; a database that
	 * does not answer at all is given up after twice that time
	 * @param tables creates the tables with the first connection, null if they are there
	 * @param failures creates the exception of a failure from the problem and its cause
	 * @throws IllegalArgumentException if the timeout is too short
	 */
	JdbcTransactions(DataSource dataSource, Duration timeout, @Nullable DatabasePopulator tables,
			BiFunction<String, Throwable, ? extends RuntimeException> failures) {
		super(new BoundedDataSource(dataSource, timeout));
		if (timeout.toSeconds() < 1) {
			throw new IllegalArgumentException("The timeout is " + timeout + ": it must be at least one second");
		}
		setQueryTimeout(Math.toIntExact(timeout.toSeconds()));
		this.transactions = new TransactionTemplate(new Transactions(obtainDataSource()));
		this.endIfLost = "set local idle_in_transaction_session_timeout = " + BoundedDataSource.millis(timeout);
		this.tables = tables;
		this.failures = failures;
	}

	/**
	 * Performs work in a transaction, again if the database rolls it back.
	 * @throws RuntimeException if it fails, or its end is not known
	 */
	<T> T perform(Supplier<T> work) {
		try {
			return repeat(work);
		}
		catch (NestedRuntimeException ex) {
			throw failure(problem(ex), ex);
		}
	}

	/**
	 * Performs work in a transaction that may violate a unique key.
	 * @return empty if it does, so that nothing was written
	 * @throws RuntimeException if it fails otherwise, or its end is not known
	 */
	<T> Optional<T> insertUnlessPresent(Supplier<T> work) {
		try {
			return Optional.of(repeat(work));
		}
		catch (DuplicateKeyException ex) {
			return Optional.empty();
		}
		catch (NestedRuntimeException ex) {
			throw failure(problem(ex), ex);
		}
	}

	private <T> T repeat(Supplier<T> work) {
		initialize();
		for (int attempt = 1;; attempt++) {
			try {
				return this.transactions.execute((status) -> {
					endIfLost();
					return work.get();
				});
			}
			catch (PessimisticLockingFailureException ex) {
				if (attempt == ATTEMPTS) {
					throw ex;
				}
			}
		}
	}

	/**
	 * Lets PostgreSQL roll a transaction back that waits too long for its next statement.
	 * A client that is cut off cannot end its transaction, and other instances would wait
	 * for its locks until the operating system of the database gives the connection up,
	 * by default after two hours. Other databases are to be configured.
	 */
	private void endIfLost() {
		String product = execute((Connection connection) -> connection.getMetaData().getDatabaseProductName());
		if ("PostgreSQL".equals(product)) {
			execute(this.endIfLost);
		}
	}

	/**
	 * Creates the tables unless that has succeeded before.
	 */
	private void initialize() {
		DatabasePopulator populator = this.tables;
		if (populator == null || this.initialized) {
			return;
		}
		try {
			this.transactions.executeWithoutResult((status) -> execute((Connection connection) -> {
				synchronized (populator) {
					if (!this.initialized) {
						populator.populate(connection);
						connection.commit();
						this.initialized = true;
					}
					return true;
				}
			}));
		}
		catch (RuntimeException ex) {
			throw failure((ex instanceof CannotCreateTransactionException) ? NO_ANSWER
					: "The tables of the database cannot be used", ex);
		}
	}

	private RuntimeException failure(String problem, RuntimeException ex) {
		Throwable cause = ex.getCause();
		return this.failures.apply(problem, (cause != null && !(ex instanceof ScriptException)) ? cause : ex);
	}

	private static String problem(NestedRuntimeException ex) {
		if (ex.getCause() instanceof SQLException failure && isMissingTable(failure)) {
			return "A table is missing in the database";
		}
		return (ex instanceof CannotCreateTransactionException || ex instanceof DataAccessResourceFailureException
				|| ex instanceof TransientDataAccessException || ex instanceof RecoverableDataAccessException)
						? NO_ANSWER : "The database has failed";
	}

	/**
	 * Returns whether a statement failed since its table does not exist.
	 * @param ex the failure
	 * @return whether the table is missing
	 */
	public static boolean isMissingTable(SQLException ex) {
		return MISSING.contains(String.valueOf(ex.getSQLState()));
	}

	/**
	 * Returns a time as a column keeps it.
	 */
	static OffsetDateTime time(Instant time) {
		return time.truncatedTo(ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
	}

	/**
	 * Transactions whose failure is not replaced by that of the rollback after it.
	 */
	private static final class Transactions extends JdbcTransactionManager {

		Transactions(DataSource dataSource) {
			super(dataSource);
			setRollbackOnCommitFailure(true);
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			try {
				super.doRollback(status);
			}
			catch (NestedRuntimeException ex) {
				// the connection is lost, as the failure before this one says
			}
		}

	}

}

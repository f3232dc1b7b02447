package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * The end of transactions whose client does not go on. A client that is cut off cannot
 * end its transaction. Other instances would wait for its locks until the operating
 * system of the database gives the connection up, by default after two hours.
 */
public final class LostTransactions {

	private static final int FACTOR = 2;

	private LostTransactions() {
	}

	/**
	 * Lets PostgreSQL roll a transaction back that waits too long for its next statement.
	 * Other databases are to be configured.
	 * @param connection a connection in a transaction
	 * @param timeout the timeout of its statements; the wait is twice as long
	 * @throws SQLException if the connection fails
	 */
	public static void end(Connection connection, Duration timeout) throws SQLException {
		if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
			try (Statement statement = connection.createStatement()) {
				statement.setQueryTimeout(Math.toIntExact(timeout.toSeconds()));
				statement.execute("set local idle_in_transaction_session_timeout = "
						+ Math.min(Integer.MAX_VALUE, timeout.multipliedBy(FACTOR).toMillis()));
			}
		}
	}

}

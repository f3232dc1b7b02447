package io.kairo.governance.jdbc;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;

/**
 * A bound on the time that a connection waits for an answer, until it is closed. The
 * timeout of a statement does not bound it, since the database ends the statement: where
 * the network drops everything, a thread would wait until the operating system gives the
 * connection up, possibly forever. Not for use by several threads.
 */
public final class NetworkTimeout implements AutoCloseable {

	private static final Logger logger = System.getLogger(NetworkTimeout.class.getName());

	/** The database has time to end a statement and to say so. */
	private static final int FACTOR = 2;

	private final Connection connection;

	private final int previous;

	private NetworkTimeout(Connection connection, int previous) {
		this.connection = connection;
		this.previous = previous;
	}

	/**
	 * Bounds the waits of a connection, unless its data source does so already or its
	 * driver cannot.
	 * @param connection the connection
	 * @param timeout the timeout of its statements; the bound is twice as long
	 * @return the bound, to be closed before the connection
	 * @throws SQLException if the connection fails
	 */
	public static NetworkTimeout of(Connection connection, Duration timeout) throws SQLException {
		int millis = (int) Math.min(Integer.MAX_VALUE, timeout.multipliedBy(FACTOR).toMillis());
		try {
			int previous = connection.getNetworkTimeout();
			if (previous == 0 || previous > millis) {
				connection.setNetworkTimeout(Runnable::run, millis);
				return new NetworkTimeout(connection, previous);
			}
		}
		catch (SQLFeatureNotSupportedException ex) {
			logger.log(Level.DEBUG, "The driver of the database has no network timeout", ex);
		}
		return new NetworkTimeout(connection, -1);
	}

	/**
	 * Restores the previous timeout, for the next user of a pooled connection.
	 */
	@Override
	public void close() {
		try {
			if (this.previous >= 0 && !this.connection.isClosed()) {
				this.connection.setNetworkTimeout(Runnable::run, this.previous);
			}
		}
		catch (SQLException ex) {
			logger.log(Level.DEBUG, "The connection has failed", ex);
		}
	}

}

package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SmartDataSource;
import org.springframework.jdbc.support.JdbcUtils;

/**
 * Bounds the time that connections wait for an answer, unless their data source does so
 * already or their driver cannot. The timeout of a statement does not bound it, since the
 * database ends the statement: where the network drops everything, a thread would wait
 * until the operating system gives the connection up, possibly forever. Safe for use by
 * several threads.
 */
final class BoundedDataSource extends DelegatingDataSource implements SmartDataSource {

	/** The database has time to end a statement and to say so. */
	private static final int FACTOR = 2;

	/** The bounds from before, for the next user of a pooled connection. */
	private final Map<Connection, Integer> previous = Collections.synchronizedMap(new IdentityHashMap<>());

	private final int millis;

	/**
	 * Creates the data source.
	 * @param target the data source
	 * @param timeout the timeout of statements
	 */
	BoundedDataSource(DataSource target, Duration timeout) {
		super(target);
		this.millis = millis(timeout);
	}

	/**
	 * Returns the bound of a wait: twice the timeout of a statement.
	 */
	static int millis(Duration timeout) {
		return (int) Math.min(Integer.MAX_VALUE, timeout.multipliedBy(FACTOR).toMillis());
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = super.getConnection();
		try {
			int before = connection.getNetworkTimeout();
			if (before == 0 || before > this.millis) {
				connection.setNetworkTimeout(Runnable::run, this.millis);
				this.previous.put(connection, before);
			}
		}
		catch (SQLFeatureNotSupportedException ex) {
			// the driver has no network timeout
		}
		catch (SQLException | RuntimeException ex) {
			JdbcUtils.closeConnection(connection);
			throw ex;
		}
		return connection;
	}

	/**
	 * Restores the previous bound. Spring calls this before it closes a connection.
	 */
	@Override
	public boolean shouldClose(Connection connection) {
		Integer before = this.previous.remove(connection);
		try {
			if (before != null && !connection.isClosed()) {
				connection.setNetworkTimeout(Runnable::run, before);
			}
		}
		catch (SQLException ex) {
			// the connection has failed
		}
		return !(getTargetDataSource() instanceof SmartDataSource target) || target.shouldClose(connection);
	}

}

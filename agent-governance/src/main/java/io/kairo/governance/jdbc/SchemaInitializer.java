package io.kairo.governance.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/**
 * Creates tables if they are missing, when there is a connection for the first time.
 */
@FunctionalInterface
public interface SchemaInitializer {

	/**
	 * Creates the tables if they are missing.
	 * @param connection the connection, in the mode of its data source; if that does not
	 * commit each statement, the tables have to be committed
	 * @throws SQLException if that fails; it is tried again with the next connection
	 */
	void initialize(Connection connection) throws SQLException;

}

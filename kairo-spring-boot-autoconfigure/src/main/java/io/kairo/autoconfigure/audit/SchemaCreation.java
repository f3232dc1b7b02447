package io.kairo.autoconfigure.audit;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.kairo.autoconfigure.audit.AuditProperties.SchemaInitialization;
import io.kairo.governance.audit.JdbcAuditSink.SchemaInitializer;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Creates tables where the properties say so, with the script {@code schema-h2.sql} or
 * {@code schema-postgresql.sql} beside the class that uses them.
 *
 * @param dataSource the data source
 * @param mode the databases in which tables are created
 * @param user the class that uses the tables
 * @param property the property of the mode
 * @since 0.1.0
 */
public record SchemaCreation(DataSource dataSource, SchemaInitialization mode, Class<?> user,
		String property) implements SchemaInitializer {

	@Override
	public void initialize(Connection connection) throws SQLException {
		if (this.mode == SchemaInitialization.ALWAYS || (this.mode == SchemaInitialization.EMBEDDED
				&& EmbeddedDatabaseConnection.isEmbedded(this.dataSource))) {
			new ResourceDatabasePopulator(schema(connection)).populate(connection);
			if (!connection.getAutoCommit()) {
				connection.commit();
			}
		}
	}

	private ClassPathResource schema(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		String platform = DatabaseDriver.fromProductName(product).getId();
		ClassPathResource schema = new ClassPathResource("schema-" + platform + ".sql", this.user);
		if (!schema.exists()) {
			throw new SQLException("There is no script that creates the tables of " + this.user.getSimpleName() + " in "
					+ product + ": create them, and set " + this.property + " to never");
		}
		return schema;
	}

}

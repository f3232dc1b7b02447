package io.kairo.autoconfigure.ledger;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import io.kairo.autoconfigure.audit.AuditProperties.SchemaInitialization;
import io.kairo.governance.audit.JdbcAuditSink.SchemaInitializer;
import io.kairo.governance.ledger.JdbcUsageLedger;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Creates the tables of the usage where the properties say so.
 *
 * @param dataSource the data source
 * @param mode the databases in which tables are created
 */
record LedgerSchema(DataSource dataSource, SchemaInitialization mode) implements SchemaInitializer {

	@Override
	public void initialize(Connection connection) throws SQLException {
		if (this.mode == SchemaInitialization.ALWAYS || (this.mode == SchemaInitialization.EMBEDDED
				&& EmbeddedDatabaseConnection.isEmbedded(this.dataSource))) {
			new ResourceDatabasePopulator(schema(connection)).populate(connection);
		}
	}

	private static ClassPathResource schema(Connection connection) throws SQLException {
		String product = connection.getMetaData().getDatabaseProductName();
		String platform = DatabaseDriver.fromProductName(product).getId();
		ClassPathResource schema = new ClassPathResource("schema-" + platform + ".sql", JdbcUsageLedger.class);
		if (!schema.exists()) {
			throw new SQLException("There is no schema of the usage for " + product
					+ ": create the tables, and set kairo.budgets.jdbc.initialize-schema to never");
		}
		return schema;
	}

}

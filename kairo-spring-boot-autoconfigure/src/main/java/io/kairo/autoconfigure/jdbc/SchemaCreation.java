package io.kairo.autoconfigure.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.kairo.governance.jdbc.JdbcTransactions;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.EmbeddedDatabaseConnection;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.datasource.init.DatabasePopulator;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/**
 * Creates tables where the properties say so, with the script beside the class that uses
 * them, and checks that they exist: at the start if the database is available, and
 * otherwise when it is first used.
 *
 * @param dataSource the data source
 * @param mode the databases to create tables in
 * @param user the class that uses the tables
 * @param property the property of the mode
 */
public record SchemaCreation(DataSource dataSource, SchemaInitialization mode, Class<?> user,
		String property) implements DatabasePopulator, SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog(SchemaCreation.class);

	/** The bean that has precedence over all other data sources. */
	private static final String OWN = "kairoDataSource";

	/** The property for everything that is kept in a database. */
	private static final String COMMON = "kairo.jdbc.initialize-schema";

	private static final Pattern TABLE = Pattern.compile("create table if not exists (\\w+)");

	/** The time that the start waits for the database. */
	private static final Duration START = Duration.ofSeconds(10);

	/**
	 * Returns the creation of the tables of a class, in the data source
	 * {@code kairoDataSource}, or else in the only or primary one.
	 * @param beans the beans
	 * @param feature the property that asks for a database
	 * @param common the databases to create all tables in
	 * @param own the databases to create these tables in, null for the common ones
	 * @param user the class that uses the tables
	 * @return the creation
	 * @throws InvalidConfigurationPropertyValueException if there is no data source, or
	 * none of several is chosen
	 */
	public static SchemaCreation of(BeanFactory beans, String feature, JdbcProperties common,
			@Nullable SchemaInitialization own, Class<?> user) {
		DataSource dataSource = beans.containsBean(OWN) ? beans.getBean(OWN, DataSource.class)
				: beans.getBeanProvider(DataSource.class).getIfUnique();
		if (dataSource == null) {
			throw new InvalidConfigurationPropertyValueException(feature, "jdbc",
					"jdbc needs a data source: set spring.datasource.url and add "
							+ "org.springframework.boot:spring-boot-starter-jdbc or, if there are several, name one "
							+ OWN + " or mark it as primary");
		}
		return (own != null)
				? new SchemaCreation(dataSource, own, user,
						feature.substring(0, feature.lastIndexOf('.')) + ".jdbc.initialize-schema")
				: new SchemaCreation(dataSource, common.initializeSchema(), user, COMMON);
	}

	@Override
	public void populate(Connection connection) throws SQLException {
		if (this.mode == SchemaInitialization.ALWAYS || (this.mode == SchemaInitialization.EMBEDDED
				&& EmbeddedDatabaseConnection.isEmbedded(this.dataSource))) {
			ClassPathResource script = script(connection);
			if (!script.exists()) {
				throw new SQLException("There is no script that creates the tables of " + this.user.getSimpleName()
						+ " in " + connection.getMetaData().getDatabaseProductName() + ": create them, and set "
						+ this.property + " to never");
			}
			new ResourceDatabasePopulator(script).populate(connection);
		}
		for (String table : tables()) {
			try (Statement statement = connection.createStatement()) {
				statement.executeQuery("select 1 from " + table + " where 1 = 0").close();
			}
			catch (SQLException ex) {
				if (!JdbcTransactions.isMissingTable(ex) || !connection.isValid(1)) {
					throw ex;
				}
				throw new SQLException(missing(table, connection), ex.getSQLState(), ex);
			}
		}
		if (!connection.getAutoCommit()) {
			connection.commit();
		}
	}

	private String missing(String table, Connection connection) throws SQLException {
		ClassPathResource script = script(connection);
		return "the table " + table + " is missing in " + connection.getMetaData().getDatabaseProductName()
				+ ", and is not created, since " + this.property + " is " + spelled()
				+ ((this.mode == SchemaInitialization.EMBEDDED) ? " and the database is not an embedded one" : "")
				+ (script.exists()
						? ": set it to always, or run " + script.getPath() + " of kairo-agent-governance-jdbc"
						: ": create the tables of " + example().getPath() + " of kairo-agent-governance-jdbc");
	}

	private String spelled() {
		return this.mode.name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the tables. They are the same in every database.
	 */
	private List<String> tables() {
		try {
			return TABLE.matcher(example().getContentAsString(StandardCharsets.UTF_8))
				.results()
				.map((MatchResult found) -> found.group(1))
				.toList();
		}
		catch (IOException ex) {
			throw new IllegalStateException("The script of the tables cannot be read", ex);
		}
	}

	private ClassPathResource example() {
		return script("postgresql");
	}

	private ClassPathResource script(Connection connection) throws SQLException {
		return script(DatabaseDriver.fromProductName(connection.getMetaData().getDatabaseProductName()).getId());
	}

	private ClassPathResource script(String database) {
		return new ClassPathResource(this.user.getSimpleName() + "-" + database + ".sql", this.user);
	}

	/**
	 * Checks the tables of a database that is available.
	 * @throws InvalidConfigurationPropertyValueException if a table is missing, or cannot
	 * be created
	 */
	@Override
	public void afterSingletonsInstantiated() {
		FutureTask<@Nullable String> check = new FutureTask<>(this::problem);
		Thread thread = new Thread(check, "kairo-schema");
		thread.setDaemon(true);
		thread.start();
		String problem;
		try {
			problem = check.get(START.toSeconds(), TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.warn("The tables of " + this.user.getSimpleName() + " are checked when they are first used, since "
					+ "the database does not answer" + ((ex.getCause() != null) ? ": " + ex.getCause() : ""));
			return;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return;
		}
		if (problem != null) {
			throw new InvalidConfigurationPropertyValueException(this.property, spelled(), problem);
		}
	}

	/**
	 * Returns the problem with the tables. Another instance may create them meanwhile.
	 */
	private @Nullable String problem() throws SQLException {
		return (attempt() != null) ? attempt() : null;
	}

	private @Nullable String attempt() throws SQLException {
		try (Connection connection = this.dataSource.getConnection()) {
			try {
				populate(connection);
				return null;
			}
			catch (SQLException | RuntimeException ex) {
				if (!connection.isValid(1)) {
					throw ex;
				}
				return String.valueOf(ex.getMessage());
			}
		}
	}

}

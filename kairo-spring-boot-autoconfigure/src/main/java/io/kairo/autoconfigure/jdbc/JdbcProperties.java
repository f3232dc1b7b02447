package io.kairo.autoconfigure.jdbc;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.util.ClassUtils;

/**
 * Configuration properties for what is kept in a database.
 *
 * @param initializeSchema When to create the tables: in embedded databases, always, or
 * never. The start fails if a table is missing.
 */
@ConfigurationProperties("kairo.jdbc")
public record JdbcProperties(@DefaultValue("embedded") SchemaInitialization initializeSchema) {

	/**
	 * Requires the module that keeps something in a database.
	 * @param property the property that asks for it
	 * @param wanted whether it does
	 * @throws InvalidConfigurationPropertyValueException if it does and the module is
	 * absent
	 */
	public static void requireModule(String property, boolean wanted) {
		if (wanted && !ClassUtils.isPresent("io.kairo.governance.jdbc.JdbcAuditSink", null)) {
			throw new InvalidConfigurationPropertyValueException(property, "jdbc",
					"it needs the dependency io.kairo:kairo-agent-governance-jdbc");
		}
	}

}

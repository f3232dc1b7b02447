package io.kairo.autoconfigure.audit;

import io.kairo.autoconfigure.audit.AuditProperties.SchemaInitialization;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Configuration properties for what is kept in a database.
 *
 * @param initializeSchema When to create the tables: in embedded databases, always, or
 * never. The start fails if a table is missing.
 */
@ConfigurationProperties("kairo.jdbc")
public record JdbcProperties(@DefaultValue("embedded") SchemaInitialization initializeSchema) {

}

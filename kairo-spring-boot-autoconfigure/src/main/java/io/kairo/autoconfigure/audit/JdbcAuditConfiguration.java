package io.kairo.autoconfigure.audit;

import javax.sql.DataSource;

import io.kairo.governance.audit.JdbcAuditSink;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the sink of type jdbc. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuditSink(AuditSinkType.JDBC)
class JdbcAuditConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	JdbcAuditSink kairoJdbcAuditSink(AuditProperties properties, BeanFactory beans) {
		DataSource dataSource = KairoDataSource.of(beans, "kairo.audit.sinks", properties.sinks());
		return new JdbcAuditSink(dataSource, properties.jdbc().chain(), properties.chain(), properties.timeout(),
				new SchemaCreation(dataSource, properties.jdbc().initializeSchema(), JdbcAuditSink.class,
						"kairo.audit.jdbc.initialize-schema"));
	}

}

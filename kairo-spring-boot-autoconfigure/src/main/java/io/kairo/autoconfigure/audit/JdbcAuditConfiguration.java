package io.kairo.autoconfigure.audit;

import io.kairo.governance.audit.JdbcAuditSink;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the sink of type jdbc. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuditSink(AuditSinkType.JDBC)
@EnableConfigurationProperties(JdbcProperties.class)
class JdbcAuditConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	SchemaCreation kairoAuditSchema(AuditProperties properties, JdbcProperties common, BeanFactory beans) {
		return SchemaCreation.of(KairoDataSource.of(beans, "kairo.audit.sinks", properties.sinks()), common,
				properties.jdbc().initializeSchema(), JdbcAuditSink.class, "kairo.audit.jdbc.initialize-schema");
	}

	@Bean
	JdbcAuditSink kairoJdbcAuditSink(AuditProperties properties, @Qualifier("kairoAuditSchema") SchemaCreation schema) {
		return new JdbcAuditSink(schema.dataSource(), properties.jdbc().chain(), properties.chain(),
				properties.timeout(), schema);
	}

}

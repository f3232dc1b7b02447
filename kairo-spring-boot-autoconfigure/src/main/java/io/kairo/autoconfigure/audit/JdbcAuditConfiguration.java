package io.kairo.autoconfigure.audit;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaCreation;
import io.kairo.governance.jdbc.JdbcAuditSink;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the sink of type jdbc. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuditSink(AuditSinkType.JDBC)
@ConditionalOnClass(JdbcAuditSink.class)
@EnableConfigurationProperties(JdbcProperties.class)
class JdbcAuditConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	SchemaCreation kairoAuditSchema(AuditProperties properties, JdbcProperties common, BeanFactory beans) {
		return SchemaCreation.of(beans, "kairo.audit.sinks", common, properties.jdbc().initializeSchema(),
				JdbcAuditSink.class);
	}

	@Bean
	JdbcAuditSink kairoJdbcAuditSink(AuditProperties properties, @Qualifier("kairoAuditSchema") SchemaCreation schema) {
		return new JdbcAuditSink(schema.dataSource(), properties.jdbc().chain(), properties.chain(),
				properties.timeout(), schema);
	}

}

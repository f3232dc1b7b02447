package io.kairo.autoconfigure.audit;

import javax.sql.DataSource;

import io.kairo.governance.audit.JdbcAuditSink;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the sink of type jdbc. It uses the bean {@code kairoDataSource}, or else the
 * only or primary data source. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnAuditSink(AuditSinkType.JDBC)
class JdbcAuditConfiguration {

	/** The bean that has precedence over all other data sources. */
	private static final String OWN = "kairoDataSource";

	@Bean
	@DependsOnDatabaseInitialization
	JdbcAuditSink kairoJdbcAuditSink(AuditProperties properties, BeanFactory beans) {
		DataSource dataSource = beans.containsBean(OWN) ? beans.getBean(OWN, DataSource.class)
				: beans.getBeanProvider(DataSource.class).getIfUnique();
		if (dataSource == null) {
			throw new InvalidConfigurationPropertyValueException("kairo.audit.sinks", properties.sinks(),
					"the sink jdbc needs a data source: set spring.datasource.url and add "
							+ "org.springframework.boot:spring-boot-starter-jdbc or, if there are several, name one "
							+ OWN + " or mark it as primary");
		}
		return new JdbcAuditSink(dataSource, properties.jdbc().chain(), properties.chain(), properties.timeout(),
				new AuditSchema(dataSource, properties.jdbc().initializeSchema()));
	}

}

package io.kairo.autoconfigure.policy;

import io.kairo.autoconfigure.audit.JdbcProperties;
import io.kairo.autoconfigure.audit.KairoDataSource;
import io.kairo.autoconfigure.audit.SchemaCreation;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.governance.policy.JdbcApprovalStore;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the store of type jdbc. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "kairo.policy.approvals.store", havingValue = "jdbc")
@ConditionalOnMissingBean(ApprovalStore.class)
@EnableConfigurationProperties(JdbcProperties.class)
class JdbcApprovalConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	SchemaCreation kairoApprovalSchema(PolicyProperties properties, JdbcProperties common, BeanFactory beans) {
		return SchemaCreation.of(
				KairoDataSource.of(beans, "kairo.policy.approvals.store", properties.approvals().store()), common,
				properties.approvals().jdbc().initializeSchema(), JdbcApprovalStore.class,
				"kairo.policy.approvals.jdbc.initialize-schema");
	}

	@Bean
	JdbcApprovalStore kairoJdbcApprovalStore(PolicyProperties properties,
			@Qualifier("kairoApprovalSchema") SchemaCreation schema) {
		return new JdbcApprovalStore(schema.dataSource(), properties.approvals().jdbc().timeout(), schema);
	}

}

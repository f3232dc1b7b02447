package io.kairo.autoconfigure.policy;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaCreation;
import io.kairo.governance.jdbc.JdbcApprovalStore;
import io.kairo.governance.policy.ApprovalStore;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
@ConditionalOnClass(JdbcApprovalStore.class)
@ConditionalOnProperty(name = "kairo.policy.approvals.store", havingValue = "jdbc")
@ConditionalOnMissingBean(ApprovalStore.class)
@EnableConfigurationProperties(JdbcProperties.class)
class JdbcApprovalConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	SchemaCreation kairoApprovalSchema(PolicyProperties properties, JdbcProperties common, BeanFactory beans) {
		return SchemaCreation.of(beans, "kairo.policy.approvals.store", common,
				properties.approvals().jdbc().initializeSchema(), JdbcApprovalStore.class);
	}

	@Bean
	JdbcApprovalStore kairoJdbcApprovalStore(PolicyProperties properties,
			@Qualifier("kairoApprovalSchema") SchemaCreation schema) {
		return new JdbcApprovalStore(schema.dataSource(), properties.approvals().jdbc().timeout(), schema);
	}

}

package io.kairo.autoconfigure.policy;

import javax.sql.DataSource;

import io.kairo.autoconfigure.audit.KairoDataSource;
import io.kairo.autoconfigure.audit.SchemaCreation;
import io.kairo.autoconfigure.policy.PolicyProperties.Jdbc;
import io.kairo.governance.policy.ApprovalStore;
import io.kairo.governance.policy.JdbcApprovalStore;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the store of type jdbc. The database need not be available at the start.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "kairo.policy.approvals.store", havingValue = "jdbc")
@ConditionalOnMissingBean(ApprovalStore.class)
class JdbcApprovalConfiguration {

	@Bean
	@DependsOnDatabaseInitialization
	JdbcApprovalStore kairoJdbcApprovalStore(PolicyProperties properties, BeanFactory beans) {
		DataSource dataSource = KairoDataSource.of(beans, "kairo.policy.approvals.store",
				properties.approvals().store());
		Jdbc jdbc = properties.approvals().jdbc();
		return new JdbcApprovalStore(dataSource, jdbc.timeout(), new SchemaCreation(dataSource, jdbc.initializeSchema(),
				JdbcApprovalStore.class, "kairo.policy.approvals.jdbc.initialize-schema"));
	}

}

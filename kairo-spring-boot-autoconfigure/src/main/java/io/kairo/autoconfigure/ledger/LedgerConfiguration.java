package io.kairo.autoconfigure.ledger;

import io.kairo.autoconfigure.jdbc.JdbcProperties;
import io.kairo.autoconfigure.jdbc.SchemaCreation;
import io.kairo.governance.jdbc.JdbcUsageLedger;
import io.kairo.governance.ledger.InMemoryUsageLedger;
import io.kairo.governance.ledger.UsageLedger;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the ledger, unless the application has its own.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnMissingBean(UsageLedger.class)
class LedgerConfiguration {

	/**
	 * Configures the ledger of type memory.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "kairo.budgets.ledger", havingValue = "memory", matchIfMissing = true)
	static class Memory {

		@Bean
		InMemoryUsageLedger kairoInMemoryUsageLedger() {
			return new InMemoryUsageLedger();
		}

	}

	/**
	 * Configures the ledger of type jdbc. The database need not be available at the
	 * start.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcUsageLedger.class)
	@ConditionalOnProperty(name = "kairo.budgets.ledger", havingValue = "jdbc")
	@EnableConfigurationProperties(JdbcProperties.class)
	static class Jdbc {

		@Bean
		@DependsOnDatabaseInitialization
		SchemaCreation kairoLedgerSchema(BudgetProperties properties, JdbcProperties common, BeanFactory beans) {
			return SchemaCreation.of(beans, "kairo.budgets.ledger", common, properties.jdbc().initializeSchema(),
					JdbcUsageLedger.class);
		}

		@Bean
		JdbcUsageLedger kairoJdbcUsageLedger(BudgetProperties properties,
				@Qualifier("kairoLedgerSchema") SchemaCreation schema) {
			return new JdbcUsageLedger(schema.dataSource(), properties.timeout(), schema);
		}

	}

}

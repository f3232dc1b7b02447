package io.kairo.autoconfigure.ledger;

import javax.sql.DataSource;

import io.kairo.autoconfigure.audit.KairoDataSource;
import io.kairo.autoconfigure.audit.SchemaCreation;
import io.kairo.governance.ledger.InMemoryUsageLedger;
import io.kairo.governance.ledger.JdbcUsageLedger;
import io.kairo.governance.ledger.UsageLedger;

import org.springframework.beans.factory.BeanFactory;
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
	@ConditionalOnProperty(name = "kairo.budgets.ledger", havingValue = "jdbc")
	static class Jdbc {

		@Bean
		@DependsOnDatabaseInitialization
		JdbcUsageLedger kairoJdbcUsageLedger(BudgetProperties properties, BeanFactory beans) {
			DataSource dataSource = KairoDataSource.of(beans, "kairo.budgets.ledger", LedgerType.JDBC);
			return new JdbcUsageLedger(dataSource, properties.timeout(),
					new SchemaCreation(dataSource, properties.jdbc().initializeSchema(), JdbcUsageLedger.class,
							"kairo.budgets.jdbc.initialize-schema"));
		}

	}

}

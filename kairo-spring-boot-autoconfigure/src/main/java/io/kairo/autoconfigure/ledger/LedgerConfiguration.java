package io.kairo.autoconfigure.ledger;

import javax.sql.DataSource;

import io.kairo.governance.ledger.InMemoryUsageLedger;
import io.kairo.governance.ledger.JdbcUsageLedger;
import io.kairo.governance.ledger.UsageLedger;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
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
	 * Configures the ledger of type jdbc. It uses the bean {@code kairoDataSource}, or
	 * else the only or primary data source. The database need not be available at the
	 * start.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = "kairo.budgets.ledger", havingValue = "jdbc")
	static class Jdbc {

		/** The bean that has precedence over all other data sources. */
		private static final String OWN = "kairoDataSource";

		@Bean
		@DependsOnDatabaseInitialization
		JdbcUsageLedger kairoJdbcUsageLedger(BudgetProperties properties, BeanFactory beans) {
			DataSource dataSource = beans.containsBean(OWN) ? beans.getBean(OWN, DataSource.class)
					: beans.getBeanProvider(DataSource.class).getIfUnique();
			if (dataSource == null) {
				throw new InvalidConfigurationPropertyValueException("kairo.budgets.ledger", "jdbc",
						"the ledger jdbc needs a data source: set spring.datasource.url and add "
								+ "org.springframework.boot:spring-boot-starter-jdbc or, if there are several, name one "
								+ OWN + " or mark it as primary");
			}
			return new JdbcUsageLedger(dataSource, properties.timeout(),
					new LedgerSchema(dataSource, properties.jdbc().initializeSchema()));
		}

	}

}

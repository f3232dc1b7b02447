package io.kairo.autoconfigure.observation;

import io.kairo.governance.ledger.Budgets;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Configures the meters of budgets, for the auto-configuration of budgets to import.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean({ MeterRegistry.class, TenantTag.class })
public class BudgetMetersConfiguration {

	BudgetMetersConfiguration() {
	}

	@Bean
	BudgetMeters kairoBudgetMeters(MeterRegistry registry, TenantTag tenantTag, Budgets budgets) {
		return new BudgetMeters(registry, tenantTag, budgets, System::nanoTime);
	}

}

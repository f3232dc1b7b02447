package io.kairo.autoconfigure.ledger;

import java.time.Clock;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.observation.BudgetMetersConfiguration;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.boot.SandboxWorkers;
import io.kairo.governance.ledger.BudgetInterceptor;
import io.kairo.governance.ledger.Budgets;
import io.kairo.governance.ledger.UsageLedger;
import io.kairo.tools.AgentSessions;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.autoconfigure.AbstractDependsOnBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Configures the budgets, their enforcement and their endpoint.
 */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({ BudgetProperties.class, SandboxProperties.class })
@Import({ LedgerConfiguration.class, BudgetMetersConfiguration.class })
class BudgetsConfiguration {

	@Bean
	@ConditionalOnMissingBean
	Budgets kairoBudgets(BudgetProperties properties, UsageLedger ledger) {
		return new Budgets(ledger, properties::budget, properties.options(), Clock.systemUTC());
	}

	/**
	 * Comes after the limits, so that a command refused by them is not counted.
	 */
	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE + 150)
	@ConditionalOnMissingBean
	BudgetInterceptor kairoBudgetInterceptor(Budgets budgets) {
		return new BudgetInterceptor(budgets);
	}

	@Bean
	@Lazy(false)
	CpuBudgetCheck kairoCpuBudgetCheck(BudgetProperties properties, SandboxProperties sandbox,
			ObjectProvider<ExecutionSandbox> sandboxes, ObjectProvider<SandboxWorkers> workers) {
		return new CpuBudgetCheck(properties, sandbox, sandboxes, workers);
	}

	/**
	 * Closes the budgets after the sessions, whose commands end with them.
	 */
	@Bean
	static DependsOnBudgets kairoSessionsDependOnBudgets() {
		return new DependsOnBudgets(AgentSessions.class);
	}

	/**
	 * Closes the budgets after the sandboxes.
	 */
	@Bean
	static DependsOnBudgets kairoSandboxesDependOnBudgets() {
		return new DependsOnBudgets(ExecutionSandbox.class);
	}

	/**
	 * Configures the endpoint.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ Endpoint.class, ConditionalOnAvailableEndpoint.class })
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		UsageEndpoint kairoUsageEndpoint(Budgets budgets) {
			return new UsageEndpoint(budgets);
		}

	}

	/**
	 * Makes beans depend on the budgets.
	 */
	static final class DependsOnBudgets extends AbstractDependsOnBeanFactoryPostProcessor {

		DependsOnBudgets(Class<?> type) {
			super(type, Budgets.class);
		}

	}

}

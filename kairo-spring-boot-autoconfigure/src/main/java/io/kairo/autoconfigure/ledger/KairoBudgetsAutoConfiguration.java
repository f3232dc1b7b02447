package io.kairo.autoconfigure.ledger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.observation.KairoMetricsAutoConfiguration;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.governance.ledger.Budgets;
import io.kairo.governance.ledger.UsageLedger;
import io.kairo.tools.AgentSessions;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the budgets of tenants, if {@code kairo.budgets.tenants} has an
 * entry or there is a bean of type {@link UsageLedger}.
 *
 * @since 0.1.0
 */
@AutoConfiguration(before = KairoMetricsAutoConfiguration.class,
		afterName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ Budgets.class, ExecutionSandbox.class, AgentSessions.class })
@Conditional(OnBudgets.class)
@EnableConfigurationProperties({ BudgetProperties.class, SandboxProperties.class })
@Import({ LedgerConfiguration.class, BudgetsConfiguration.class })
public final class KairoBudgetsAutoConfiguration {

	KairoBudgetsAutoConfiguration() {
	}

}

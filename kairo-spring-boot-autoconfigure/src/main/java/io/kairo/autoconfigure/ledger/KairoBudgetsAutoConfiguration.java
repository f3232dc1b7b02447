package io.kairo.autoconfigure.ledger;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.autoconfigure.observation.KairoExecutionsAutoConfiguration;
import io.kairo.governance.ledger.Budgets;
import io.kairo.tools.AgentSessions;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the budgets of tenants, if {@code kairo.budgets.tenants} has an
 * entry or {@code kairo.budgets.enabled} is true.
 */
@AutoConfiguration(after = KairoExecutionsAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ Budgets.class, ExecutionSandbox.class, AgentSessions.class })
@Conditional(OnBudgets.class)
@Import(BudgetsConfiguration.class)
public final class KairoBudgetsAutoConfiguration {

	KairoBudgetsAutoConfiguration() {
	}

}

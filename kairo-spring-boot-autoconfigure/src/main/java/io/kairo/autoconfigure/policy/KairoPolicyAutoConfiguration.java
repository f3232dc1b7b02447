package io.kairo.autoconfigure.policy;

import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.tools.ToolCatalog;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the policy of tool calls and their approval, if
 * {@code kairo.policy.rules} or {@code kairo.policy.otherwise} is set or there is a bean
 * of type {@link ToolPolicy}.
 */
@AutoConfiguration(before = KairoToolsAutoConfiguration.class, after = KairoTenancyAutoConfiguration.class,
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ ToolPolicy.class, ToolCatalog.class })
@Conditional(OnPolicy.class)
@EnableConfigurationProperties(PolicyProperties.class)
@Import({ JdbcApprovalConfiguration.class, PolicyConfiguration.class })
public final class KairoPolicyAutoConfiguration {

	KairoPolicyAutoConfiguration() {
	}

}

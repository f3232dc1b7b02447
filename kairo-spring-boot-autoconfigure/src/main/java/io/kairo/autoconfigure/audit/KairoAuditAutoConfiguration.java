package io.kairo.autoconfigure.audit;

import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.boot.KairoProperties;
import io.kairo.governance.audit.AuditLog;
import io.kairo.governance.audit.AuditSink;
import io.kairo.tools.ToolCatalog;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;

/**
 * Auto-configuration of the audit, if {@code kairo.audit.sinks} names a sink or there is
 * a bean of type {@link AuditSink}.
 */
@AutoConfiguration(before = KairoToolsAutoConfiguration.class,
		beforeName = "org.springframework.boot.health.autoconfigure.contributor.HealthContributorAutoConfiguration",
		afterName = { "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ AuditLog.class, ToolCatalog.class })
@Conditional(OnAudit.class)
@EnableConfigurationProperties({ AuditProperties.class, KairoProperties.class })
@Import({ AuditSinksConfiguration.class, JdbcAuditConfiguration.class, AuditLogConfiguration.class })
public final class KairoAuditAutoConfiguration {

	KairoAuditAutoConfiguration() {
	}

}

package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.ExecutionSandbox;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration for the {@link ExecutionLog}, and for the tag of tenants that all
 * meters and observations share.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(ExecutionSandbox.class)
@EnableConfigurationProperties(MetricsProperties.class)
public final class KairoExecutionsAutoConfiguration {

	KairoExecutionsAutoConfiguration() {
	}

	@Bean
	TenantTag kairoTenantTag(MetricsProperties properties) {
		return new TenantTag(properties.maxTenants());
	}

	@Bean
	ExecutionLog kairoExecutionLog() {
		return new ExecutionLog();
	}

}

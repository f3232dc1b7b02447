package io.kairo.autoconfigure.observation;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxInterceptor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration that applies the {@link SandboxInterceptor} beans to every
 * {@link ExecutionSandbox} bean: the {@link ExecutionLog}, the interceptors for meters
 * and observations, and the application's own.
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

	@Bean
	static SandboxInterceptorPostProcessor kairoSandboxInterceptorPostProcessor(
			ObjectProvider<SandboxInterceptor> interceptors) {
		return new SandboxInterceptorPostProcessor(SingletonSupplier.of(() -> interceptors.orderedStream().toList()));
	}

}

package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.function.Supplier;

import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolInterceptor;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration for observations of tools and commands, if there is an
 * {@link ObservationRegistry}.
 */
// required, since Boot's auto-configurations come later in alphabetical order
@AutoConfiguration(after = { KairoExecutionsAutoConfiguration.class, KairoToolsAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class KairoObservationAutoConfiguration {

	KairoObservationAutoConfiguration() {
	}

	/**
	 * Configures the observation of tools.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ToolInterceptor.class)
	static class ToolObservationConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ToolObservationInterceptor kairoToolObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag,
				ObjectProvider<ToolCatalog> catalog, ObjectProvider<ToolCallObservationConvention> convention) {
			// resolved at the first call, since the catalog is created with this
			// interceptor
			Supplier<Set<String>> names = SingletonSupplier.of(() -> catalog.getObject().names());
			return new ToolObservationInterceptor(registry, tenantTag, names, convention.getIfAvailable());
		}

	}

	@Bean
	SandboxObservationInterceptor kairoSandboxObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag,
			ObjectProvider<ExecutionObservationConvention> convention, Environment environment) {
		return new SandboxObservationInterceptor(registry, tenantTag, convention.getIfAvailable(),
				environment.getProperty("kairo.sandbox.trace-context", Boolean.class, false));
	}

}

package io.kairo.autoconfigure.observation;

import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolInterceptor;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the meters and traces of tools and commands, where there is an
 * {@link ObservationRegistry}.
 *
 * @since 0.1.0
 */
// Boot's auto-configurations come later in the alphabet: without their names nothing is
// observed
@AutoConfiguration(after = { KairoExecutionsAutoConfiguration.class, KairoToolsAutoConfiguration.class },
		afterName = { "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class KairoObservationAutoConfiguration {

	KairoObservationAutoConfiguration() {
	}

	/**
	 * Observes tools.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ToolInterceptor.class)
	static class ToolObservationConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ToolObservationInterceptor kairoToolObservationInterceptor(ObservationRegistry registry, TenantTag tenantTag,
				ObjectProvider<ToolCatalog> catalog) {
			// the catalog is made with this interceptor, so it is asked for at the first
			// call
			Supplier<Set<String>> names = SingletonSupplier.of(() -> catalog.getObject()
				.definitions()
				.stream()
				.map(ToolDefinition::name)
				.collect(Collectors.toUnmodifiableSet()));
			return new ToolObservationInterceptor(registry, tenantTag, names);
		}

	}

	@Bean
	SandboxObservationInterceptor kairoSandboxObservationInterceptor(ObservationRegistry registry,
			TenantTag tenantTag) {
		return new SandboxObservationInterceptor(registry, tenantTag);
	}

}

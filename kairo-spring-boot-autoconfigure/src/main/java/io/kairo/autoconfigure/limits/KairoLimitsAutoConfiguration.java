package io.kairo.autoconfigure.limits;

import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.kairo.autoconfigure.tenancy.TenancyProperties;
import io.kairo.autoconfigure.tools.ToolsProperties;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.limits.LimitsInterceptor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the {@link LimitsInterceptor}. The interceptor comes after the
 * observation of a call or command and before the interceptors of the application.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass(LimitsInterceptor.class)
@EnableConfigurationProperties(TenancyProperties.class)
public final class KairoLimitsAutoConfiguration {

	KairoLimitsAutoConfiguration() {
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE + 100)
	@ConditionalOnMissingBean
	LimitsInterceptor kairoLimitsInterceptor(TenancyProperties properties, ObjectProvider<ToolCatalog> catalog,
			ObjectProvider<ToolsProperties> tools) {
		// the catalog depends on this interceptor, so that it is obtained with the first
		// call
		Supplier<Set<String>> executing = SingletonSupplier.of(() -> catalog.getObject()
			.definitions()
			.stream()
			.filter((tool) -> tool.annotations().runsCommands())
			.map(ToolDefinition::name)
			.collect(Collectors.toUnmodifiableSet()));
		TenantLimitsTable limits = new TenantLimitsTable(properties.limits());
		ToolsProperties options = tools.getIfAvailable();
		boolean all = options == null || options.background().counted();
		return new LimitsInterceptor(limits::of, (tool) -> executing.get().contains(tool),
				(request) -> all || !request.attributes().background());
	}

}

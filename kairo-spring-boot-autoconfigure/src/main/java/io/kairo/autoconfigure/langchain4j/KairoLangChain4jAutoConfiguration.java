package io.kairo.autoconfigure.langchain4j;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.invocation.InvocationParameters;
import dev.langchain4j.service.tool.ToolExecutor;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import dev.langchain4j.service.tool.ToolProviderResult;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.boot.CallerTenants;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.EnabledTools;
import io.kairo.boot.OfferedTools;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.ToolsProperties;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of the tools as a {@link ToolProvider} of LangChain4j, in addition
 * to the providers of the application. A bean of the same name replaces it.
 */
@AutoConfiguration(after = { KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class })
@ConditionalOnClass(ToolProvider.class)
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@ConditionalOnBooleanProperty(name = { "kairo.enabled", "kairo.langchain4j.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(LangChain4jProperties.class)
public final class KairoLangChain4jAutoConfiguration {

	KairoLangChain4jAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoToolProvider")
	ToolProvider kairoToolProvider(ToolCatalog catalog, AgentSessions sessions, TenantContextHolder tenants,
			ObjectProvider<ToolsProperties> properties, ObjectProvider<EnabledTools> enabledTools,
			ObjectProvider<OfferedTools> offeredTools) {
		// schemas are not made before they are needed
		SingletonSupplier<Map<ToolSpecification, ToolExecutor>> tools = SingletonSupplier
			.of(() -> tools(catalog, sessions, new CallerTenants(tenants), naming(properties.getIfAvailable()),
					offeredTools.getIfAvailable()));
		EnabledTools enabled = enabledTools.getIfAvailable();
		return (request) -> {
			ToolProviderResult.Builder offered = ToolProviderResult.builder();
			tools.obtain().forEach((specification, executor) -> {
				if (enabled == null || isEnabled(specification, enabled, request, tenants)) {
					offered.add(specification, executor);
				}
			});
			return offered.build();
		};
	}

	private static ToolNaming naming(@Nullable ToolsProperties properties) {
		return (properties != null) ? properties.naming() : ToolNaming.CLAUDE;
	}

	private static Map<ToolSpecification, ToolExecutor> tools(ToolCatalog catalog, AgentSessions sessions,
			CallerTenants tenants, ToolNaming naming, @Nullable OfferedTools offered) {
		JsonMapper mapper = new JsonMapper();
		Map<ToolSpecification, ToolExecutor> tools = new LinkedHashMap<>();
		for (ToolDefinition tool : catalog.definitions()) {
			if (offered == null || offered.isOffered(tool.name())) {
				tools.put(new ToolSchema(tool, mapper).specification(),
						new CatalogToolExecutor(tool, catalog, sessions, tenants, naming, mapper));
			}
		}
		return tools;
	}

	/**
	 * Returns whether the tenant of a request may call a tool, or has none.
	 */
	private static boolean isEnabled(ToolSpecification tool, EnabledTools enabled, ToolProviderRequest request,
			TenantContextHolder tenants) {
		try {
			return enabled.isEnabled(tenant(request.invocationParameters(), tenants), tool.name());
		}
		catch (RuntimeException ex) {
			return true; // the catalog refuses a call
		}
	}

	private static String tenant(@Nullable InvocationParameters parameters, TenantContextHolder tenants) {
		Object named = (parameters != null) ? parameters.asMap().get(TenantContext.ATTR_TENANT_ID) : null;
		return (named != null) ? named.toString() : tenants.current().tenantId();
	}

}

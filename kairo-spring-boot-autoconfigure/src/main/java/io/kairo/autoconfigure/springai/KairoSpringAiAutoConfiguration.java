package io.kairo.autoconfigure.springai;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.boot.CallerTenants;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.CallEntries;
import io.kairo.autoconfigure.tools.EnabledTools;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.boot.OfferedTools;
import io.kairo.autoconfigure.tools.ToolsProperties;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.micrometer.context.ContextSnapshotFactory;
import io.modelcontextprotocol.server.McpAsyncServer;
import io.modelcontextprotocol.server.McpStatelessAsyncServer;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClientBuilderCustomizer;
import org.springframework.ai.mcp.ToolContextToMcpMetaConverter;
import org.springframework.ai.model.tool.internal.ToolCallReactiveContextHolder;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the tools as a {@link ToolCallbackProvider}, in addition to the
 * providers of the application. A bean of the same name replaces it. The chat clients of
 * the auto-configured builder have a {@link ToolSessionAdvisor}.
 */
@AutoConfiguration(after = { KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class })
@ConditionalOnClass(ToolCallbackProvider.class)
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@ConditionalOnBooleanProperty(name = { "kairo.enabled", "kairo.spring-ai.enabled" }, matchIfMissing = true)
@EnableConfigurationProperties(SpringAiProperties.class)
public final class KairoSpringAiAutoConfiguration {

	KairoSpringAiAutoConfiguration() {
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoToolCallbackProvider")
	ToolCallbackProvider kairoToolCallbackProvider(ToolCatalog catalog, AgentSessions sessions,
			TenantContextHolder tenants, ObjectProvider<StreamContext> streams,
			ObjectProvider<ToolsProperties> properties, ObjectProvider<EnabledTools> enabledTools,
			ObjectProvider<OfferedTools> offeredTools) {
		OfferedTools offered = offeredTools.getIfAvailable();
		ToolsProperties tools = properties.getIfAvailable();
		ToolNaming naming = (tools != null) ? tools.naming() : ToolNaming.CLAUDE;
		StreamContext stream = streams.getIfAvailable(() -> Supplier::get);
		CallerTenants callers = new CallerTenants(tenants);
		JsonMapper mapper = new JsonMapper();
		List<CatalogToolCallback> callbacks = catalog.definitions()
			.stream()
			.filter((tool) -> offered == null || offered.isOffered(tool.name()))
			.map((tool) -> new CatalogToolCallback(tool, catalog, sessions, callers, stream, naming, mapper))
			.toList();
		EnabledTools enabled = enabledTools.getIfAvailable();
		return () -> callbacks.stream()
			.filter((callback) -> enabled == null || isEnabled(callback, enabled, tenants))
			.toArray(ToolCallback[]::new);
	}

	/**
	 * Returns whether the tenant of the thread may call a tool, or the thread has none,
	 * as on the start of the application.
	 */
	private static boolean isEnabled(ToolCallback callback, EnabledTools enabled, TenantContextHolder tenants) {
		try {
			return enabled.isEnabled(tenants.current().tenantId(), callback.getToolDefinition().name());
		}
		catch (RuntimeException ex) {
			return true; // the catalog refuses a call
		}
	}

	@Bean
	@Lazy(false)
	ToolNameReport kairoToolNameReport(ConfigurableListableBeanFactory beans) {
		return new ToolNameReport(beans);
	}

	/**
	 * Propagates the context of a stream.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ContextSnapshotFactory.class, ToolCallReactiveContextHolder.class })
	static class StreamConfiguration {

		@Bean
		StreamContext kairoStreamContext() {
			return new ReactorStreamContext();
		}

	}

	/**
	 * Advises prompts of chat clients.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ChatClient.class)
	@ConditionalOnBooleanProperty(name = "kairo.spring-ai.advisor.enabled", matchIfMissing = true)
	static class AdvisorConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ToolSessionAdvisor kairoToolSessionAdvisor(AgentSessions sessions, TenantContextHolder tenants,
				ObjectProvider<StreamContext> streams) {
			return new ToolSessionAdvisor(sessions, tenants, streams.getIfAvailable(() -> Supplier::get));
		}

		@Bean
		ChatClientBuilderCustomizer kairoChatClientBuilderCustomizer(ToolSessionAdvisor advisor) {
			return (builder) -> builder.defaultAdvisors(advisor);
		}

	}

	/**
	 * Refuses an MCP server of Spring AI that would offer the tools, unless Kairo's takes
	 * its place.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(value = McpSyncServer.class, name = McpServerConfiguration.CONVERTER)
	@ConditionalOnBooleanProperty(
			name = { "spring.ai.mcp.server.enabled", "spring.ai.mcp.server.tool-callback-converter" },
			matchIfMissing = true)
	static class McpServerConfiguration {

		static final String CONVERTER = "org.springframework.ai.mcp.server.common.autoconfigure"
				+ ".ToolCallbackConverterAutoConfiguration";

		private static final List<Class<?>> SERVERS = List.of(McpSyncServer.class, McpAsyncServer.class,
				McpStatelessSyncServer.class, McpStatelessAsyncServer.class);

		@Bean
		@Lazy(false)
		SmartInitializingSingleton kairoUnguardedToolsCheck(ListableBeanFactory beans, Environment environment) {
			boolean guarded = ClassUtils.isPresent("io.kairo.mcp.KairoMcpAutoConfiguration",
					beans.getClass().getClassLoader())
					&& environment.getProperty("kairo.mcp.enabled", Boolean.class, true);
			return () -> {
				if (!guarded && SERVERS.stream().anyMatch((type) -> beans.getBeanNamesForType(type).length > 0)) {
					throw new UnguardedToolsException();
				}
			};
		}

	}

	/**
	 * Keeps the tenant and the session from the MCP servers that a chat client calls,
	 * since Spring AI sends them the tool context.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ToolContextToMcpMetaConverter.class)
	static class McpClientConfiguration {

		@Bean
		@ConditionalOnMissingBean
		ToolContextToMcpMetaConverter kairoToolContextToMcpMetaConverter() {
			ToolContextToMcpMetaConverter whole = ToolContextToMcpMetaConverter.defaultConverter();
			return (context) -> {
				Map<String, Object> meta = new HashMap<>(whole.convert(context));
				meta.keySet().removeIf(CallEntries::isEntry);
				return meta;
			};
		}

	}

}

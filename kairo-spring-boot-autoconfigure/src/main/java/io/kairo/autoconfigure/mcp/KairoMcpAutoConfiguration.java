package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.sandbox.SandboxProperties;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration;
import io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration;
import io.kairo.autoconfigure.tools.OfferedTools;
import io.kairo.autoconfigure.tools.ToolsProperties;
import io.kairo.boot.SandboxWorkers;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.util.DefaultMcpUriTemplateManagerFactory;
import io.modelcontextprotocol.util.McpUriTemplateManagerFactory;
import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the tools, with annotations, as tools of an MCP server. Spring
 * AI's server uses the specifications.
 */
@AutoConfiguration(after = { KairoTenancyAutoConfiguration.class, KairoToolsAutoConfiguration.class }, afterName = {
		"org.springframework.ai.mcp.server.webflux.autoconfigure.McpServerStatelessWebFluxAutoConfiguration",
		"org.springframework.ai.mcp.server.webflux.autoconfigure.McpServerStreamableHttpWebFluxAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "kairo.enabled", matchIfMissing = true)
@ConditionalOnClass({ SyncToolSpecification.class, McpSyncServerCustomizer.class })
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@EnableConfigurationProperties(McpProperties.class)
@Import({ McpElicitationConfiguration.class, McpStdioConfiguration.class, McpWebFluxConfiguration.class,
		McpWebMvcConfiguration.class })
public final class KairoMcpAutoConfiguration {

	KairoMcpAutoConfiguration() {
	}

	@Bean
	@Lazy(false)
	McpExposure kairoMcpExposure(McpProperties properties, SandboxProperties sandboxProperties,
			ObjectProvider<ExecutionSandbox> sandbox, ObjectProvider<SandboxWorkers> workers, ToolCatalog catalog,
			ListableBeanFactory beans, Environment environment, ObjectProvider<OfferedTools> offered) {
		OfferedTools tools = offered.getIfAvailable();
		McpExposure exposure = new McpExposure(properties, sandboxProperties.type(), sandbox.getIfAvailable(),
				workers.getIfAvailable(), catalog, (tool) -> tools == null || tools.isUsual(tool));
		new ImplicitRoot(beans, environment).refuse(exposure.exposed().stream().map(ToolDefinition::name).toList());
		return exposure;
	}

	@Bean
	McpCalls kairoMcpCalls() {
		return new McpCalls();
	}

	@Bean
	McpExchanges kairoMcpExchanges() {
		return new McpExchanges();
	}

	@Bean
	McpTools kairoMcpTools(McpProperties mcp, ToolCatalog catalog, AgentSessions sessions, TenantContextHolder tenants,
			McpCalls calls, McpExchanges exchanges, ObjectProvider<McpRequest> request,
			ObjectProvider<ToolsProperties> properties, McpResources resources) {
		ToolsProperties tools = properties.getIfAvailable();
		return new McpTools(catalog, sessions, tenants, calls, exchanges,
				request.getIfAvailable(() -> McpRequest.UNKNOWN),
				new McpStructuredContent(mcp.structuredContent(), (tools != null) ? tools.naming() : ToolNaming.CLAUDE),
				resources);
	}

	@Bean
	McpResources kairoMcpResources(McpProperties mcp, McpExposure exposure, ToolCatalog catalog, AgentSessions sessions,
			TenantContextHolder tenants, ObjectProvider<McpRequest> request, ObjectProvider<ToolsProperties> properties,
			Environment environment) {
		ToolsProperties tools = properties.getIfAvailable();
		boolean enabled = mcp.resources().enabled()
				&& environment.getProperty("spring.ai.mcp.server.capabilities.resource", Boolean.class, true);
		return new McpResources(catalog, sessions, new CallerTenants(tenants),
				request.getIfAvailable(() -> McpRequest.UNKNOWN), (tools != null) ? tools.naming() : ToolNaming.CLAUDE,
				(tools != null) ? tools.namePrefix() : "",
				exposure.exposed().stream().map(ToolDefinition::name).collect(Collectors.toSet()),
				enabled ? (int) mcp.resources().maxSize().toBytes() : 0);
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpResourceTemplates")
	List<SyncResourceTemplateSpecification> kairoMcpResourceTemplates(McpResources resources, McpExchanges exchanges) {
		return resources.isOffered() ? List.of(new SyncResourceTemplateSpecification(McpResources.template(), (exchange,
				request) -> exchanges.during(exchange, () -> resources.read(exchange.sessionId(), request.uri()))))
				: List.of();
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpStatelessResourceTemplates")
	List<McpStatelessServerFeatures.SyncResourceTemplateSpecification> kairoMcpStatelessResourceTemplates(
			McpResources resources) {
		return resources.isOffered()
				? List.of(new McpStatelessServerFeatures.SyncResourceTemplateSpecification(McpResources.template(),
						(context, request) -> resources.read(null, request.uri())))
				: List.of();
	}

	@Bean
	static ConvertedToolsFilter kairoMcpConvertedToolsFilter(ObjectProvider<ToolCatalog> catalog,
			ObjectProvider<McpExposure> exposure) {
		return new ConvertedToolsFilter(catalog, exposure);
	}

	/**
	 * Customizes the server of an application without Spring MVC, where Spring AI has no
	 * customizer that could be wrapped.
	 */
	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnNotWebApplication
	McpSyncServerCustomizer kairoMcpServerCustomizer() {
		return (server) -> {
		};
	}

	/**
	 * Matches URIs of files, and disables the server's validation of the arguments and
	 * results of Kairo's tools: the catalog validates the former, and the latter are as
	 * their schema says. Wraps the only customizer that Spring AI accepts, regardless of
	 * its origin.
	 */
	@Bean
	static BeanPostProcessor kairoMcpArgumentValidation(ObjectProvider<ToolCatalog> catalog) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (!(bean instanceof McpSyncServerCustomizer customizer)) {
					return bean;
				}
				return (McpSyncServerCustomizer) (server) -> {
					Set<Map<String, Object>> own = catalog.getObject()
						.definitions()
						.stream()
						.flatMap((tool) -> Stream.of(tool.inputSchema(), McpStructuredContent.schema(tool)))
						.collect(Collectors.toSet());
					McpUriTemplateManagerFactory templates = new DefaultMcpUriTemplateManagerFactory();
					server.uriTemplateManagerFactory((template) -> template.equals(McpFileUri.TEMPLATE)
							? new McpFileUriTemplate() : templates.create(template));
					server.jsonSchemaValidator(
							new OwnSchemaValidation(McpJsonDefaults.getSchemaValidator(), own::contains));
					customizer.customize(server);
				};
			}

		};
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpToolSpecifications")
	List<SyncToolSpecification> kairoMcpToolSpecifications(McpExposure exposure, McpTools tools) {
		return exposure.exposed().stream().map(tools::specification).toList();
	}

	@Bean
	@ConditionalOnMissingBean(name = "kairoMcpStatelessToolSpecifications")
	List<McpStatelessServerFeatures.SyncToolSpecification> kairoMcpStatelessToolSpecifications(McpExposure exposure,
			McpTools tools) {
		return exposure.exposedWithoutSessions().stream().map(tools::statelessSpecification).toList();
	}

}

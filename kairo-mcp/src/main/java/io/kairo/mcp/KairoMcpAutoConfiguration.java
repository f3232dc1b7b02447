package io.kairo.mcp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.boot.CallerTenants;
import io.kairo.boot.OfferedTools;
import io.kairo.boot.SandboxWorkers;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.limits.LimitsInterceptor;
import io.micrometer.context.ContextSnapshotFactory;
import io.modelcontextprotocol.json.McpJsonDefaults;
import io.modelcontextprotocol.json.schema.JsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.util.DefaultMcpUriTemplateManagerFactory;
import io.modelcontextprotocol.util.McpUriTemplateManagerFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.servlet.DispatcherServlet;

/**
 * Auto-configuration of an MCP server with the tools, and with the tools, resources and
 * prompts of the application that are beans: at an endpoint of Spring MVC or WebFlux, or
 * over standard input and output.
 */
@AutoConfiguration(afterName = { "io.kairo.autoconfigure.tenancy.KairoTenancyAutoConfiguration",
		"io.kairo.autoconfigure.tools.KairoToolsAutoConfiguration" })
@ConditionalOnBooleanProperty(name = { "kairo.enabled", "kairo.mcp.enabled" }, matchIfMissing = true)
@ConditionalOnBean({ ToolCatalog.class, AgentSessions.class })
@Conditional(McpServerSettings.OnClients.class)
@EnableConfigurationProperties(McpProperties.class)
public final class KairoMcpAutoConfiguration {

	KairoMcpAutoConfiguration() {
	}

	@Bean
	McpServerSettings kairoMcpServerSettings(McpProperties properties, Environment environment) {
		return McpServerSettings.of(properties, environment);
	}

	@Bean
	@Lazy(false)
	McpExposure kairoMcpExposure(McpProperties properties, ObjectProvider<ExecutionSandbox> sandbox,
			ObjectProvider<SandboxWorkers> workers, ToolCatalog catalog, Environment environment,
			ObjectProvider<OfferedTools> offered) {
		OfferedTools tools = offered.getIfAvailable();
		McpExposure exposure = new McpExposure(properties, environment.getProperty("kairo.sandbox.type", ""),
				sandbox.getIfAvailable(), workers.getIfAvailable(), catalog,
				(tool) -> tools == null || tools.isUsual(tool));
		requireConfiguredRoot(exposure, tools, environment);
		return exposure;
	}

	/**
	 * Checks that clients are not offered the working directory of the application by
	 * accident.
	 */
	private static void requireConfiguredRoot(McpExposure exposure, @Nullable OfferedTools tools,
			Environment environment) {
		List<String> exposed = exposure.exposed().stream().map(ToolDefinition::name).toList();
		if (!exposed.isEmpty() && tools != null && "local".equals(tools.usual())
				&& !Binder.get(environment).bind("kairo.workspace.roots", Bindable.listOf(String.class)).isBound()) {
			throw UnsafeServerException.ofImplicitRoot(exposed);
		}
	}

	@Bean
	CallingClient kairoMcpCallingClient() {
		return new CallingClient();
	}

	@Bean
	McpTools kairoMcpTools(McpProperties properties, ToolCatalog catalog, AgentSessions sessions, CallingClient client,
			McpResources resources, Environment environment) {
		return new McpTools(catalog, sessions, client,
				new McpStructuredContent(properties.structuredContent(), naming(environment)), resources);
	}

	private static ToolNaming naming(Environment environment) {
		return Binder.get(environment).bind("kairo.tools.naming", ToolNaming.class).orElseGet(() -> ToolNaming.CLAUDE);
	}

	@Bean
	McpResources kairoMcpResources(McpProperties properties, McpExposure exposure, ToolCatalog catalog,
			AgentSessions sessions, Environment environment) {
		return new McpResources(catalog, sessions, naming(environment),
				environment.getProperty("kairo.tools.name-prefix", ""),
				exposure.exposed().stream().map(ToolDefinition::name).collect(Collectors.toSet()),
				(properties.resources().enabled()
						&& environment.getProperty("spring.ai.mcp.server.capabilities.resource", Boolean.class, true))
								? (int) properties.resources().maxSize().toBytes() : 0);
	}

	@Bean
	McpSessions kairoMcpSessions(McpProperties properties, McpServerSettings settings, AgentSessions sessions) {
		// over standard input and output, the input says when the client is gone
		boolean expire = settings.protocol() != McpProperties.Protocol.STDIO;
		McpSessions clients = new McpSessions(properties, expire, System::nanoTime);
		clients.onEnd((session) -> {
			if (session.owner() != null) {
				sessions.end(session.owner(), session.id());
			}
		});
		return clients;
	}

	@Bean
	McpSubscriptions kairoMcpSubscriptions(McpProperties properties, McpResources resources, McpSessions clients) {
		McpSubscriptions subscriptions = new McpSubscriptions(properties.resources(), resources::state, clients::isOpen,
				(session, uri) -> {
					if (!clients.isListening(session)) {
						return false;
					}
					clients
						.notifyClient(session, McpSchema.METHOD_NOTIFICATION_RESOURCES_UPDATED,
								new ResourcesUpdatedNotification(uri))
						.block();
					return clients.isListening(session);
				});
		clients.onEnd((session) -> {
			if (session.owner() != null) {
				subscriptions.end(session.owner(), session.id());
			}
		});
		return subscriptions;
	}

	@Bean(destroyMethod = "closeGracefully")
	@Lazy(false)
	McpSyncServer kairoMcpServer(McpProperties properties, McpServerSettings settings, McpSessions clients,
			McpExposure exposure, McpTools tools, McpResources resources, McpSubscriptions subscriptions,
			ToolCatalog catalog, CallingClient client, ListableBeanFactory beans,
			ObjectProvider<McpServerCustomizer> customizers) {
		List<ToolDefinition> offered = settings.stateless() ? exposure.exposedWithoutSessions() : exposure.exposed();
		Set<String> own = offered.stream().map(ToolDefinition::name).collect(Collectors.toSet());
		ApplicationFeatures application = properties.applicationFeatures()
				? ApplicationFeatures.of(beans, (tool, bean) -> isOfApplication(tool, bean, offered, catalog))
				: ApplicationFeatures.NONE;
		List<SyncToolSpecification> specifications = new ArrayList<>(
				offered.stream().map(tools::specification).toList());
		specifications.addAll(application.tools());
		List<SyncResourceTemplateSpecification> templates = new ArrayList<>(application.templates());
		if (resources.isOffered()) {
			templates.add(new SyncResourceTemplateSpecification(McpResources.template(), (exchange, request) -> client
				.during(exchange, () -> resources.read(McpCall.of(exchange.transportContext()), request.uri()))));
		}
		Set<Map<String, Object>> schemas = new HashSet<>();
		offered.forEach((tool) -> schemas.add(tool.inputSchema()));
		catalog.definitions().forEach((tool) -> {
			schemas.add(tool.inputSchema());
			schemas.add(McpStructuredContent.schema(tool));
		});
		McpUriTemplateManagerFactory uris = new DefaultMcpUriTemplateManagerFactory();
		McpServer.SyncSpecification<?> builder = McpServer.sync(clients)
			.serverInfo(settings.name(), settings.version())
			.instructions(settings.instructions())
			.capabilities(capabilities(application, templates, !settings.stateless() && resources.isOffered()))
			.tools(specifications)
			.resources(application.resources())
			.resourceTemplates(templates)
			.prompts(application.prompts())
			.completions(application.completions())
			.addToolFilter((context,
					tool) -> !own.contains(tool.name()) || McpCall.of(context)
						.caller()
						.map((tenant) -> catalog.isPermitted(tool.name(), tenant))
						.orElse(true))
			.requestTimeout(properties.elicitation().timeout());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		McpSyncServer server = builder
			.uriTemplateManagerFactory((template) -> template.equals(McpFileUri.TEMPLATE) ? new McpFileUri.Template()
					: uris.create(template))
			.jsonSchemaValidator(new OwnSchemaValidation(McpJsonDefaults.getSchemaValidator(), schemas::contains))
			.immediateExecution(true)
			.build();
		resources.complete(settings.stateless() ? null : subscriptions, server::listResources);
		return server;
	}

	private static ServerCapabilities capabilities(ApplicationFeatures application,
			List<SyncResourceTemplateSpecification> templates, boolean subscriptions) {
		ServerCapabilities.Builder builder = ServerCapabilities.builder().tools(true).logging();
		if (!templates.isEmpty() || !application.resources().isEmpty()) {
			builder.resources(subscriptions, true);
		}
		if (!application.prompts().isEmpty()) {
			builder.prompts(true);
		}
		return (application.completions().isEmpty() ? builder : builder.completions()).build();
	}

	/**
	 * Returns whether a tool is one of the application, and not one of Kairo that Spring
	 * AI has derived from the callbacks of its adapter.
	 * @throws UnsafeServerException if it has the name of a tool of Kairo
	 */
	private static boolean isOfApplication(Tool tool, String bean, List<ToolDefinition> offered, ToolCatalog catalog) {
		boolean derived = catalog.definitions()
			.stream()
			.anyMatch((own) -> own.name().equals(tool.name())
					&& (own.description().equals(tool.description()) || own.inputSchema().equals(tool.inputSchema())));
		if (derived) {
			return false;
		}
		offered.stream().filter((own) -> own.name().equals(tool.name())).findFirst().ifPresent((own) -> {
			throw UnsafeServerException.ofEqualNames(own.name(), own.description(), String.valueOf(tool.description()),
					bean);
		});
		return true;
	}

	@Bean
	McpEndpoint kairoMcpEndpoint(McpProperties properties, McpServerSettings settings, TenantContextHolder tenants,
			AgentSessions sessions, ObjectProvider<LimitsInterceptor> limits, McpSessions clients,
			McpResources resources, McpSyncServer server) {
		return new McpEndpoint(properties, new CallerTenants(tenants), sessions::takeTurn,
				(tenant) -> Optional.ofNullable(limits.getIfAvailable()).flatMap((each) -> each.count(tenant)), clients,
				settings.stateless(), resources);
	}

	/**
	 * Applies the customizers of Spring AI's server.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(McpSyncServerCustomizer.class)
	static class SpringAiConfiguration {

		@Bean
		McpServerCustomizer kairoSpringAiCustomizers(ObjectProvider<McpSyncServerCustomizer> customizers) {
			return (server) -> customizers.orderedStream().forEach((each) -> each.customize(server));
		}

	}

	/**
	 * The endpoint over standard input and output.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(McpServerSettings.OnStdio.class)
	static class StdioConfiguration {

		@Bean
		McpStdio kairoMcpStdio(McpEndpoint endpoint, ConfigurableApplicationContext context) {
			// closing waits for the thread that reads
			return McpStdio.standard(endpoint, () -> new Thread(context::close, "kairo-mcp-stdio-end").start());
		}

	}

	/**
	 * The endpoint of a servlet application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DispatcherServlet.class)
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
	@Conditional(McpServerSettings.OnHttp.class)
	static class ServletConfiguration {

		@Bean
		org.springframework.web.servlet.handler.SimpleUrlHandlerMapping kairoMcpMapping(McpEndpoint endpoint,
				McpServerSettings settings) {
			return new org.springframework.web.servlet.handler.SimpleUrlHandlerMapping(
					Map.of(settings.path(), new McpServletHandler(endpoint)), -1);
		}

	}

	/**
	 * The endpoint of a reactive application.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ DispatcherHandler.class, ContextSnapshotFactory.class })
	@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
	@Conditional(McpServerSettings.OnHttp.class)
	static class WebFluxConfiguration {

		@Bean
		McpWebFluxHandler kairoMcpHandler(McpEndpoint endpoint, TenantContextHolder tenants, McpProperties properties) {
			return new McpWebFluxHandler(endpoint, tenants, properties.limits().requests());
		}

		@Bean
		org.springframework.web.reactive.handler.SimpleUrlHandlerMapping kairoMcpMapping(McpWebFluxHandler handler,
				McpServerSettings settings) {
			return new org.springframework.web.reactive.handler.SimpleUrlHandlerMapping(
					Map.of(settings.path(), handler), -1);
		}

	}

	/**
	 * Lets the people at clients approve calls.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ApprovalHandler.class)
	@ConditionalOnBooleanProperty("kairo.mcp.elicitation.enabled")
	static class ElicitationConfiguration {

		@Bean
		ApprovalHandler kairoMcpElicitation(CallingClient client, McpProperties properties) {
			return new McpElicitation(client, properties.limits().requests());
		}

	}

	/**
	 * Accepts all arguments of the tools whose schemas are matched, since these validate
	 * their arguments themselves and accept common aliases. Delegates otherwise.
	 *
	 * @param validator validates arguments of other tools
	 * @param own matches the schemas
	 */
	private record OwnSchemaValidation(JsonSchemaValidator validator,
			Predicate<Map<String, Object>> own) implements JsonSchemaValidator {

		@Override
		public ValidationResponse validate(Map<String, Object> schema, Object content) {
			return this.own.test(schema) ? ValidationResponse.asValid(null) : this.validator.validate(schema, content);
		}

		@Override
		public ValidationResponse validateSchema(Map<String, Object> schema) {
			return this.validator.validateSchema(schema);
		}

	}

}

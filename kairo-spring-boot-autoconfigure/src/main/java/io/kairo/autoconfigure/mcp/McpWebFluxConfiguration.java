package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.limits.LimitsInterceptor;
import io.micrometer.context.ContextSnapshotFactory;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpServerTransportProviderBase;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Guards Spring AI's stateless endpoint of WebFlux, and refuses to offer tools at the
 * others, whose transports keep each session, even one that was ended, as long as the
 * application runs.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class McpWebFluxConfiguration {

	private static final String ENDPOINT = "webFluxStatelessServerRouterFunction";

	private static final String TRANSPORT = "kairoMcpStatelessTransport";

	@Bean
	@Lazy(false)
	SmartInitializingSingleton kairoMcpWebFluxCheck(McpExposure exposure, ListableBeanFactory beans,
			ObjectProvider<McpServerTransportProviderBase> transports,
			ObjectProvider<McpStatelessServerTransport> statelessTransports) {
		return () -> {
			List<String> tools = exposure.exposed().stream().map(ToolDefinition::name).toList();
			if (!tools.isEmpty() && hasSyncServer(beans)
					&& (transports.stream().anyMatch((each) -> !(each instanceof StdioServerTransportProvider))
							|| (statelessTransports.stream().findAny().isPresent() && !isGuarded(beans)))) {
				throw new UnguardedMcpServerException(tools);
			}
		};
	}

	/**
	 * Returns whether there is a server that offers tools. An asynchronous one has none
	 * of the catalog.
	 */
	private static boolean hasSyncServer(ListableBeanFactory beans) {
		return beans.getBeanNamesForType(McpSyncServer.class).length > 0
				|| beans.getBeanNamesForType(McpStatelessSyncServer.class).length > 0;
	}

	private static boolean isGuarded(ListableBeanFactory beans) {
		return beans.containsBean(TRANSPORT) && beans.containsBean(ENDPOINT);
	}

	/**
	 * Guards the stateless endpoint.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RouterFunction.class, ContextSnapshotFactory.class })
	static class StatelessConfiguration {

		private static final Set<String> NOTIFICATIONS = Set.of(McpMessage.INITIALIZED, McpMessage.ROOTS_CHANGED);

		@Bean
		ReactiveMcpThreads kairoMcpThreads(TenantContextHolder tenants, McpProperties properties) {
			return new ReactiveMcpThreads(tenants, properties.limits().requests());
		}

		/**
		 * Is given to the server in place of Spring AI's transport, which it wraps.
		 */
		@Bean(TRANSPORT)
		@Primary
		@ConditionalOnBean(McpStatelessServerTransport.class)
		McpStatelessServerTransport kairoMcpStatelessTransport(ObjectProvider<McpStatelessServerTransport> transports,
				ReactiveMcpThreads threads, ObjectProvider<McpStatelessSyncServer> server, BeanFactory beans) {
			McpStatelessServerTransport transport = transports.stream()
				.filter((each) -> !(each instanceof ReactiveMcpTransport))
				.findFirst()
				.orElseThrow();
			return new ReactiveMcpTransport(transport,
					(handler) -> new ReactiveMcpHandler(handler, threads, server::getIfAvailable,
							() -> StatelessConfiguration.<SyncToolSpecification>list(beans,
									"kairoMcpStatelessToolSpecifications"),
							() -> StatelessConfiguration.<SyncResourceTemplateSpecification>list(beans,
									"kairoMcpStatelessResourceTemplates")));
		}

		@SuppressWarnings("unchecked")
		private static <T> List<T> list(BeanFactory beans, String name) {
			return beans.getBean(name, List.class);
		}

		@Bean
		static BeanPostProcessor kairoMcpEndpoints(ObjectProvider<McpProperties> properties,
				ObjectProvider<AgentSessions> sessions, ObjectProvider<TenantContextHolder> tenants,
				ObjectProvider<LimitsInterceptor> limits, ObjectProvider<ReactiveMcpThreads> threads,
				ObjectProvider<McpResources> resources, ObjectProvider<McpStatelessSyncServer> server) {
			return new BeanPostProcessor() {

				@Override
				@SuppressWarnings("unchecked")
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (!name.equals(ENDPOINT) || !(bean instanceof RouterFunction<?>)) {
						return bean;
					}
					JsonMapper mapper = new JsonMapper();
					McpGuard guard = new McpGuard(properties.getObject(), mapper,
							(tenant) -> sessions.getObject().takeTurn(tenant),
							(tenant) -> Optional.ofNullable(limits.getIfAvailable())
								.flatMap((each) -> each.count(tenant)),
							NOTIFICATIONS);
					return ((RouterFunction<ServerResponse>) bean).filter(new ReactiveMcpFilter(guard,
							new ReactiveMcpCallers(new CallerTenants(tenants.getObject()), threads.getObject()),
							threads.getObject(), new McpResourceAnswers(resources.getObject(), null,
									() -> server.getObject().listResources(), mapper)));
				}

			};
		}

	}

}

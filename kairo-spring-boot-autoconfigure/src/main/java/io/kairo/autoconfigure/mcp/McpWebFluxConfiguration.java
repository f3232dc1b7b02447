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
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceTemplateSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpServerTransportProviderBase;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Primary;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.ServerResponse;

/**
 * Guards Spring AI's endpoints of WebFlux, and refuses to offer tools at others, such as
 * the SSE endpoint.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class McpWebFluxConfiguration {

	private static final String STATELESS = "webFluxStatelessServerRouterFunction";

	private static final String STREAMABLE = "webFluxStreamableServerRouterFunction";

	private static final String STATELESS_TRANSPORT = "kairoMcpStatelessTransport";

	private static final String THREADS = "kairoMcpThreads";

	@Bean
	@Lazy(false)
	SmartInitializingSingleton kairoMcpWebFluxCheck(McpExposure exposure, ListableBeanFactory beans,
			ObjectProvider<McpServerTransportProviderBase> transports,
			ObjectProvider<McpStatelessServerTransport> statelessTransports) {
		return () -> {
			List<String> tools = exposure.exposed().stream().map(ToolDefinition::name).toList();
			boolean guarded = transports.stream().allMatch((transport) -> isGuarded(transport, beans))
					&& (statelessTransports.stream().findAny().isEmpty() || isStatelessGuarded(beans));
			if (!tools.isEmpty() && hasSyncServer(beans) && !guarded) {
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

	private static boolean isGuarded(McpServerTransportProviderBase transport, ListableBeanFactory beans) {
		return transport instanceof StdioServerTransportProvider
				|| (transport instanceof McpStreamableServerTransportProvider streamable && beans.containsBean(THREADS)
						&& beans.containsBean(STREAMABLE) && ReactiveMcpTransportSessions.of(streamable) != null);
	}

	private static boolean isStatelessGuarded(ListableBeanFactory beans) {
		return beans.containsBean(STATELESS_TRANSPORT) && beans.containsBean(STATELESS);
	}

	@SuppressWarnings("unchecked")
	private static <T> List<T> list(BeanFactory beans, String name) {
		return beans.getBean(name, List.class);
	}

	/**
	 * Guards the endpoints.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RouterFunction.class, ContextSnapshotFactory.class })
	static class GuardConfiguration {

		private static final Set<String> NOTIFICATIONS = Set.of(McpMessage.INITIALIZED, McpMessage.ROOTS_CHANGED);

		private static final Set<String> STREAMABLE_NOTIFICATIONS = Set.of(McpMessage.INITIALIZED,
				McpMessage.ROOTS_CHANGED, McpMessage.CANCELLED);

		/**
		 * Returns the threads of calls over HTTP; calls over stdio have no request.
		 */
		@Bean(THREADS)
		@ConditionalOnBooleanProperty(name = "spring.ai.mcp.server.stdio", havingValue = false, matchIfMissing = true)
		ReactiveMcpThreads kairoMcpThreads(TenantContextHolder tenants, McpProperties properties) {
			return new ReactiveMcpThreads(tenants, properties.limits().requests());
		}

		/**
		 * Wraps Spring AI's transport, and is given to the server in its place.
		 */
		@Bean(STATELESS_TRANSPORT)
		@Primary
		@ConditionalOnBean(McpStatelessServerTransport.class)
		McpStatelessServerTransport kairoMcpStatelessTransport(ObjectProvider<McpStatelessServerTransport> transports,
				ReactiveMcpThreads threads, ObjectProvider<McpStatelessSyncServer> server, BeanFactory beans) {
			McpStatelessServerTransport transport = transports.stream()
				.filter((each) -> !(each instanceof ReactiveMcpTransport))
				.findFirst()
				.orElseThrow();
			return new ReactiveMcpTransport(transport, (handler) -> new ReactiveMcpHandler(handler, threads,
					server::getIfAvailable,
					() -> McpWebFluxConfiguration.<McpStatelessServerFeatures.SyncToolSpecification>list(beans,
							"kairoMcpStatelessToolSpecifications"),
					() -> McpWebFluxConfiguration.<McpStatelessServerFeatures.SyncResourceTemplateSpecification>list(
							beans, "kairoMcpStatelessResourceTemplates")));
		}

		@Bean
		static BeanPostProcessor kairoMcpEndpoints(ObjectProvider<McpProperties> properties,
				ObjectProvider<AgentSessions> sessions, ObjectProvider<TenantContextHolder> tenants,
				ObjectProvider<LimitsInterceptor> limits, ObjectProvider<ReactiveMcpThreads> threads,
				ObjectProvider<McpResources> resources, ObjectProvider<McpStatelessSyncServer> statelessServer,
				ObjectProvider<McpSyncServer> server, ObjectProvider<SessionBeans> sessionBeans) {
			return new BeanPostProcessor() {

				@Override
				@SuppressWarnings("unchecked")
				public Object postProcessAfterInitialization(Object bean, String name) {
					return ((name.equals(STATELESS) || name.equals(STREAMABLE)) && bean instanceof RouterFunction<?>)
							? guarded((RouterFunction<ServerResponse>) bean, name.equals(STREAMABLE)) : bean;
				}

				private RouterFunction<ServerResponse> guarded(RouterFunction<ServerResponse> endpoint,
						boolean streamable) {
					JsonMapper mapper = new JsonMapper();
					McpGuard guard = new McpGuard(properties.getObject(), mapper,
							(tenant) -> sessions.getObject().takeTurn(tenant),
							(tenant) -> Optional.ofNullable(limits.getIfAvailable())
								.flatMap((each) -> each.count(tenant)),
							streamable ? STREAMABLE_NOTIFICATIONS : NOTIFICATIONS);
					ReactiveMcpCallers callers = new ReactiveMcpCallers(new CallerTenants(tenants.getObject()),
							threads.getObject());
					if (!streamable) {
						return endpoint.filter(new ReactiveMcpFilter(guard, callers, threads.getObject(),
								new McpResourceAnswers(resources.getObject(), null,
										() -> statelessServer.getObject().listResources(), mapper),
								null));
					}
					SessionBeans own = sessionBeans.getObject();
					return endpoint.filter(new ReactiveMcpFilter(guard, callers, threads.getObject(),
							new McpResourceAnswers(resources.getObject(), own.subscriptions(),
									() -> server.getObject().listResources(), mapper),
							own.sessions(sessions.getObject(), threads.getObject(), endpoint)));
				}

			};
		}

	}

	/**
	 * Tracks the sessions of streamable HTTP.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ RouterFunction.class, ContextSnapshotFactory.class })
	@ConditionalOnBean(McpStreamableServerTransportProvider.class)
	static class SessionConfiguration {

		/**
		 * Is there to be wrapped, since Spring AI has no customizer with WebFlux.
		 */
		@Bean
		@ConditionalOnMissingBean
		McpSyncServerCustomizer kairoMcpServerCustomizer() {
			return (server) -> {
			};
		}

		@Bean
		static BeanPostProcessor kairoMcpSubscriptionCapability(ObjectProvider<McpResources> resources,
				ObjectProvider<McpStreamableServerTransportProvider> transport,
				ObjectProvider<ServerCapabilities.Builder> capabilities) {
			return new McpSubscriptionCapability(resources, transport, capabilities);
		}

		@Bean
		McpSessionOwners kairoMcpSessionOwners(McpProperties properties) {
			return new McpSessionOwners(properties.limits(), properties.sessionTimeout(), System::nanoTime);
		}

		@Bean
		ReactiveMcpStreams kairoMcpStreams(McpProperties properties) {
			return new ReactiveMcpStreams(properties.limits());
		}

		@Bean
		McpSubscriptions kairoMcpSubscriptions(McpProperties properties, McpResources resources,
				McpSessionOwners owners, ReactiveMcpStreams streams,
				ObjectProvider<McpStreamableServerTransportProvider> transport) {
			return new McpSubscriptions(properties.resources(), resources::state, owners::isOpen,
					(session, uri) -> streams.isOpen(session)
							&& McpSubscriptionCapability.tell(transport.getObject(), session, uri)
							&& streams.isOpen(session));
		}

		@Bean
		SessionBeans kairoMcpSessionBeans(McpSessionOwners owners, ReactiveMcpStreams streams,
				McpSubscriptions subscriptions, McpCalls calls, McpStreamableServerTransportProvider transport) {
			return new SessionBeans(owners, streams, subscriptions, calls, transport);
		}

		@Bean
		static BeanPostProcessor kairoMcpServer(ObjectProvider<ReactiveMcpThreads> threads, BeanFactory beans) {
			return new BeanPostProcessor() {

				@Override
				public Object postProcessAfterInitialization(Object bean, String name) {
					if (bean instanceof McpSyncServer server) {
						new ReactiveMcpServer(threads.getObject()).adapt(server,
								McpWebFluxConfiguration.<SyncToolSpecification>list(beans,
										"kairoMcpToolSpecifications"),
								McpWebFluxConfiguration.<SyncResourceTemplateSpecification>list(beans,
										"kairoMcpResourceTemplates"));
					}
					return bean;
				}

			};
		}

	}

	/**
	 * The parts of the sessions of an endpoint.
	 *
	 * @param owners their owners
	 * @param streams their event streams
	 * @param subscriptions their subscriptions
	 * @param calls the running calls
	 * @param transport their transport
	 */
	record SessionBeans(McpSessionOwners owners, ReactiveMcpStreams streams, McpSubscriptions subscriptions,
			McpCalls calls, McpStreamableServerTransportProvider transport) {

		ReactiveMcpSessions sessions(AgentSessions sessions, ReactiveMcpThreads threads,
				RouterFunction<ServerResponse> endpoint) {
			ReactiveMcpTransportSessions kept = ReactiveMcpTransportSessions.of(this.transport);
			return new ReactiveMcpSessions(this.owners, this.streams, this.subscriptions, this.calls, sessions, threads,
					endpoint, (session) -> {
						if (kept != null) {
							kept.remove(session);
						}
					});
		}

	}

}

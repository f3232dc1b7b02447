package io.kairo.autoconfigure.mcp;

import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.tenancy.CallerTenants;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.Cancellation;
import io.kairo.tools.limits.LimitsInterceptor;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Guards Spring AI's endpoints, and tracks the calls at the endpoint of streamable HTTP.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RouterFunction.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class McpWebMvcConfiguration {

	private static final String STREAMABLE = "webMvcStreamableServerRouterFunction";

	private static final String STATELESS = "webMvcStatelessServerRouterFunction";

	private static final Set<String> ENDPOINTS = Set.of(STREAMABLE, STATELESS, "webMvcSseServerRouterFunction");

	private static final Set<String> NOTIFICATIONS = Set.of(McpMessage.INITIALIZED, McpMessage.ROOTS_CHANGED);

	private static final Set<String> STREAMABLE_NOTIFICATIONS = Set.of(McpMessage.INITIALIZED, McpMessage.ROOTS_CHANGED,
			McpMessage.CANCELLED);

	@Bean
	McpRequest kairoMcpRequest() {
		return new McpRequest() {

			@Override
			public Optional<TenantContext> caller(CallerTenants tenants) {
				return McpWebMvcConfiguration.caller().or(() -> McpRequest.super.caller(tenants));
			}

			@Override
			public @Nullable String id() {
				return (String) attribute(McpRequestFilter.REQUEST_ID);
			}

			@Override
			public Cancellation cancellation() {
				Object cancellation = attribute(McpRequestFilter.CANCELLATION);
				return (cancellation != null) ? (Cancellation) cancellation : McpRequest.super.cancellation();
			}

			@Override
			public void whenSent(Runnable action) {
				RequestAttributes request = RequestContextHolder.getRequestAttributes();
				if (request == null) {
					// it came over stdio
					McpRequest.super.whenSent(action);
					return;
				}
				request.registerDestructionCallback(McpRequest.class.getName() + UUID.randomUUID(), action,
						RequestAttributes.SCOPE_REQUEST);
			}

		};
	}

	private static @Nullable Object attribute(String name) {
		RequestAttributes request = RequestContextHolder.getRequestAttributes();
		return (request != null) ? request.getAttribute(name, RequestAttributes.SCOPE_REQUEST) : null;
	}

	/**
	 * Calls tools on the thread of their request, since it has the authenticated
	 * principal. Spring AI's own customizer does so too, but a customizer of the
	 * application replaces it.
	 */
	@Bean
	static BeanPostProcessor kairoMcpImmediateExecution() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof McpSyncServerCustomizer customizer) ? (McpSyncServerCustomizer) (server) -> {
					server.immediateExecution(true);
					customizer.customize(server);
				} : bean;
			}

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
	McpStreams kairoMcpStreams(McpProperties properties, McpSessionOwners owners) {
		return new McpStreams(properties.limits(), owners::isOpen);
	}

	@Bean
	McpSubscriptions kairoMcpSubscriptions(McpProperties properties, McpResources resources, McpSessionOwners owners,
			McpStreams streams, ObjectProvider<McpStreamableServerTransportProvider> transport) {
		return new McpSubscriptions(properties.resources(), resources::state, owners::isOpen,
				(session, uri) -> streams.isOpen(session)
						&& McpSubscriptionCapability.tell(transport.getObject(), session, uri)
						&& streams.isOpen(session));
	}

	@Bean
	static BeanPostProcessor kairoMcpEndpoints(ObjectProvider<McpProperties> properties, ObjectProvider<McpCalls> calls,
			ObjectProvider<AgentSessions> sessions, ObjectProvider<TenantContextHolder> tenants,
			ObjectProvider<LimitsInterceptor> limits, ObjectProvider<McpSessionOwners> owners,
			ObjectProvider<McpStreams> streams, ObjectProvider<McpResources> resources,
			ObjectProvider<McpSubscriptions> subscriptions, ObjectProvider<McpSyncServer> server,
			ObjectProvider<McpStatelessSyncServer> statelessServer) {
		return new BeanPostProcessor() {

			@Override
			@SuppressWarnings("unchecked")
			public Object postProcessAfterInitialization(Object bean, String name) {
				if (!ENDPOINTS.contains(name) || !(bean instanceof RouterFunction<?>)) {
					return bean;
				}
				RouterFunction<ServerResponse> endpoint = (RouterFunction<ServerResponse>) bean;
				McpProperties mcp = properties.getObject();
				Supplier<Optional<TenantContext>> caller = new CallerTenants(tenants.getObject())::current;
				JsonMapper mapper = new JsonMapper();
				McpGuard guard = new McpGuard(mcp, mapper, (tenant) -> sessions.getObject().takeTurn(tenant),
						(tenant) -> Optional.ofNullable(limits.getIfAvailable()).flatMap((each) -> each.count(tenant)),
						name.equals(STREAMABLE) ? STREAMABLE_NOTIFICATIONS : NOTIFICATIONS);
				McpRequestFilter filter = new McpRequestFilter(guard, caller, streams.getObject());
				// a filter that is added later comes first
				return switch (name) {
					case STREAMABLE -> endpoint
						.filter(new McpResourceRequests(new McpResourceAnswers(resources.getObject(),
								subscriptions.getObject(), () -> server.getObject().listResources(), mapper)))
						.filter(new McpCallTracking(calls.getObject(), sessions.getObject(),
								McpWebMvcConfiguration::caller, owners.getObject(), streams.getObject(),
								subscriptions.getObject(), endpoint))
						.filter(filter);
					case STATELESS ->
						endpoint.filter(new McpResourceRequests(new McpResourceAnswers(resources.getObject(), null,
								() -> statelessServer.getObject().listResources(), mapper)))
							.filter(filter);
					default -> endpoint.filter(filter);
				};
			}

		};
	}

	/**
	 * Returns the caller that the filter has resolved.
	 */
	private static Optional<TenantContext> caller() {
		return Optional.ofNullable((TenantContext) attribute(McpRequestFilter.CALLER));
	}

}

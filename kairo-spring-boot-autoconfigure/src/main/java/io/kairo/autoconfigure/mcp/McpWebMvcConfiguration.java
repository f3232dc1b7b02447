package io.kairo.autoconfigure.mcp;

import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.tools.AgentSessions;
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
 * Tracks the calls at Spring AI's endpoint of streamable HTTP.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RouterFunction.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
class McpWebMvcConfiguration {

	private static final String ENDPOINT = "webMvcStreamableServerRouterFunction";

	@Bean
	McpRequestId kairoMcpRequestId() {
		return () -> {
			RequestAttributes attributes = RequestContextHolder.getRequestAttributes();
			return (attributes != null)
					? (String) attributes.getAttribute(McpCallTracking.REQUEST_ID, RequestAttributes.SCOPE_REQUEST)
					: null;
		};
	}

	/**
	 * Calls tools on the thread of their request, which has the authenticated principal.
	 * Spring AI's own customizer does so too, but a customizer of the application
	 * replaces it.
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
	static BeanPostProcessor kairoMcpCallTracking(ObjectProvider<McpCalls> calls,
			ObjectProvider<AgentSessions> sessions, ObjectProvider<TenantContextHolder> tenants) {
		return new BeanPostProcessor() {

			@Override
			@SuppressWarnings("unchecked")
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (name.equals(ENDPOINT) && bean instanceof RouterFunction<?> endpoint)
						? ((RouterFunction<ServerResponse>) endpoint).filter(new McpCallTracking(new JsonMapper(),
								calls.getObject(), sessions.getObject(), tenants.getObject()))
						: bean;
			}

		};
	}

}

package io.kairo.autoconfigure.tools;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Configures the keys of the log during a tool call, if SLF4J is on the class path.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MDC.class)
class ToolLoggingConfiguration {

	@Bean
	LoggedTenant kairoLoggedTenant() {
		return new LoggedTenant();
	}

	/**
	 * Puts the tenant and the session of a call into the MDC of its thread, around all
	 * other interceptors, and restores the previous values afterwards.
	 */
	@Order(Ordered.HIGHEST_PRECEDENCE)
	static final class LoggedTenant implements ToolInterceptor {

		private static final String SESSION = "session.id";

		@Override
		public ToolResult intercept(ToolCall call, ToolContext context, Chain chain) {
			String tenant = MDC.get(TenantContext.ATTR_TENANT_ID);
			String session = MDC.get(SESSION);
			put(TenantContext.ATTR_TENANT_ID, context.tenant().tenantId());
			put(SESSION, context.sessionId());
			try {
				return chain.proceed(call, context);
			}
			finally {
				put(TenantContext.ATTR_TENANT_ID, tenant);
				put(SESSION, session);
			}
		}

		private static void put(String key, @Nullable String value) {
			if (value != null) {
				MDC.put(key, value);
			}
			else {
				MDC.remove(key);
			}
		}

	}

}

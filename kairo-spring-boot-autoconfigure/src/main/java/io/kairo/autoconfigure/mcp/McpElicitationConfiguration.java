package io.kairo.autoconfigure.mcp;

import io.kairo.governance.policy.ApprovalHandler;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Lets the people at clients approve calls.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(ApprovalHandler.class)
@ConditionalOnBooleanProperty("kairo.mcp.elicitation.enabled")
class McpElicitationConfiguration {

	@Bean
	ApprovalHandler kairoMcpElicitation(McpExchanges exchanges, McpProperties properties) {
		return new McpElicitation(exchanges, properties.limits().requests());
	}

	/**
	 * Waits for people, in place of the timeout for the answers of programs.
	 */
	@Bean
	static BeanPostProcessor kairoMcpElicitationTimeout(ObjectProvider<McpProperties> properties) {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof McpSyncServerCustomizer customizer) ? (McpSyncServerCustomizer) (server) -> {
					server.requestTimeout(properties.getObject().elicitation().timeout());
					customizer.customize(server);
				} : bean;
			}

		};
	}

}

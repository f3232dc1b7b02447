package io.kairo.autoconfigure.mcp;

import java.time.Duration;

import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpStreamableServerTransportProvider;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Announces subscriptions over streamable HTTP. Spring AI announces none.
 *
 * @param resources the resources
 * @param transport the transport of streamable HTTP
 * @param capabilities the capabilities of the server
 */
record McpSubscriptionCapability(ObjectProvider<McpResources> resources,
		ObjectProvider<McpStreamableServerTransportProvider> transport,
		ObjectProvider<ServerCapabilities.Builder> capabilities) implements BeanPostProcessor {

	private static final Duration NOTIFICATION_TIMEOUT = Duration.ofMinutes(1);

	@Override
	public Object postProcessAfterInitialization(Object bean, String name) {
		return (bean instanceof McpSyncServerCustomizer customizer) ? (McpSyncServerCustomizer) (server) -> {
			ServerCapabilities.Builder builder = this.capabilities.getIfUnique();
			if (builder != null && this.transport.getIfAvailable() != null && this.resources.getObject().isOffered()) {
				Boolean listChanged = builder.build().resources().listChanged();
				server.capabilities(builder.resources(true, listChanged).build());
			}
			customizer.customize(server);
		} : bean;
	}

	/**
	 * Tells a session that a resource has changed.
	 */
	static boolean tell(McpStreamableServerTransportProvider transport, String session, String uri) {
		transport
			.notifyClient(session, McpSchema.METHOD_NOTIFICATION_RESOURCES_UPDATED,
					new ResourcesUpdatedNotification(uri))
			.block(NOTIFICATION_TIMEOUT);
		return true;
	}

}

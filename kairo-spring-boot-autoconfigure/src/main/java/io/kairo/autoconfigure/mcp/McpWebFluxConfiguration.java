package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.stream.Stream;

import io.kairo.tools.ToolDefinition;
import io.modelcontextprotocol.server.McpStatelessSyncServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.transport.StdioServerTransportProvider;
import io.modelcontextprotocol.spec.McpServerTransportProviderBase;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Refuses to offer tools at an endpoint of WebFlux: the caller is not known there on the
 * thread of a call, and the guards of {@link McpWebMvcConfiguration} do not apply.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
class McpWebFluxConfiguration {

	@Bean
	@Lazy(false)
	SmartInitializingSingleton kairoMcpWebFluxCheck(McpExposure exposure, ListableBeanFactory beans,
			ObjectProvider<McpServerTransportProviderBase> transports,
			ObjectProvider<McpStatelessServerTransport> statelessTransports) {
		return () -> {
			List<String> tools = exposure.exposed().stream().map(ToolDefinition::name).toList();
			if (!tools.isEmpty() && hasSyncServer(beans)
					&& Stream.concat(transports.stream(), statelessTransports.stream())
						.anyMatch((transport) -> !(transport instanceof StdioServerTransportProvider))) {
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

}

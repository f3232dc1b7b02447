package io.kairo.mcp;

import io.modelcontextprotocol.server.McpServer;

/**
 * Customizes Kairo's MCP server before it is built. Beans are called in their order, as
 * are those of the type that Spring AI has for its server.
 */
@FunctionalInterface
public interface McpServerCustomizer {

	/**
	 * Customizes the server.
	 * @param server the builder of the server, with the tools, resources and prompts that
	 * it offers; the threads of calls and the schemas of Kairo's tools are set afterwards
	 */
	void customize(McpServer.SyncSpecification<?> server);

}

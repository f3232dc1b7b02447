package io.kairo.autoconfigure.conformance;

import java.util.stream.Stream;

import io.kairo.mcp.WebFluxMcpServer;

/**
 * The contract of adapters for an MCP server over streamable HTTP of a reactive
 * application.
 */
class WebFluxMcpAdapterTests extends McpAdapterTests {

	@Override
	Stream<String> properties() {
		return WebFluxMcpServer.properties("streamable");
	}

}

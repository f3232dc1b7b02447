package io.kairo.autoconfigure.conformance;

import java.util.stream.Stream;

import io.kairo.mcp.WebFluxMcpServer;

/**
 * The contract of adapters for a stateless MCP server of a reactive application.
 */
class StatelessWebFluxMcpAdapterTests extends StatelessMcpAdapterTests {

	@Override
	Stream<String> properties() {
		return WebFluxMcpServer.properties("stateless");
	}

}

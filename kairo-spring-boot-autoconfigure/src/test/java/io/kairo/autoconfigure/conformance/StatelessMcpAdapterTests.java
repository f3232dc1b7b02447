package io.kairo.autoconfigure.conformance;

import java.util.stream.Stream;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/**
 * The contract of adapters for a stateless MCP server.
 */
class StatelessMcpAdapterTests extends McpAdapterTests {

	@Override
	Stream<String> properties() {
		return Stream.of("spring.ai.mcp.server.protocol=stateless");
	}

	@Override
	boolean hasSessions() {
		return false;
	}

	@Test
	@Override
	@Disabled("a stateless server of the SDK compares arguments with the schema itself")
	void badArgumentIsTheSame() {
	}

	@Test
	@Override
	@Disabled("a stateless server does not notice that its client is gone")
	void cancelledCallEndsItsCommand() {
	}

}

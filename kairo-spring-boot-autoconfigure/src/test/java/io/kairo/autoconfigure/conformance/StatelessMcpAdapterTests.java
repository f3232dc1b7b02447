package io.kairo.autoconfigure.conformance;

import java.io.IOException;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;

import org.springframework.context.ApplicationContext;

/**
 * The contract of adapters for a stateless MCP server.
 */
class StatelessMcpAdapterTests extends McpAdapterTests {

	private TcpRelay relay;

	@Override
	Stream<String> properties() {
		return Stream.of("kairo.mcp.protocol=stateless", "kairo.mcp.heartbeat-interval=200ms");
	}

	@Override
	boolean hasSessions() {
		return false;
	}

	@Override
	int port(ApplicationContext context) {
		if (this.relay == null) {
			this.relay = new TcpRelay(super.port(context));
		}
		return this.relay.port();
	}

	@AfterEach
	void closeRelay() throws IOException {
		if (this.relay != null) {
			this.relay.close();
		}
	}

	/**
	 * Drops the connection, as a client that goes away does.
	 */
	@Override
	void cancel(ApplicationContext context, Thread caller) throws IOException {
		this.relay.drop();
		caller.interrupt();
	}

}

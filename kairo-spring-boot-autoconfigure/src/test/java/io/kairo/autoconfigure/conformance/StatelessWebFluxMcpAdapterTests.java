package io.kairo.autoconfigure.conformance;

import java.io.IOException;
import java.util.stream.Stream;

import io.kairo.autoconfigure.mcp.WebFluxMcpServer;
import org.junit.jupiter.api.AfterEach;

import org.springframework.context.ApplicationContext;

/**
 * The contract of adapters for a stateless MCP server of a reactive application.
 */
class StatelessWebFluxMcpAdapterTests extends McpAdapterTests {

	private TcpRelay relay;

	@Override
	Stream<String> properties() {
		return WebFluxMcpServer.properties("stateless");
	}

	@Override
	Stream<Class<?>> configuration() {
		return Stream.of(WebFluxMcpServer.class);
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

package io.kairo.autoconfigure.mcp;

import java.util.List;
import java.util.function.UnaryOperator;

import io.modelcontextprotocol.server.McpStatelessServerHandler;
import io.modelcontextprotocol.spec.McpStatelessServerTransport;
import reactor.core.publisher.Mono;

/**
 * A transport whose messages are handled by another handler than the server's.
 *
 * @param transport the transport
 * @param handlers returns the handler in place of the server's
 */
record ReactiveMcpTransport(McpStatelessServerTransport transport,
		UnaryOperator<McpStatelessServerHandler> handlers) implements McpStatelessServerTransport {

	@Override
	public void setMcpHandler(McpStatelessServerHandler handler) {
		this.transport.setMcpHandler(this.handlers.apply(handler));
	}

	@Override
	public void close() {
		this.transport.close();
	}

	@Override
	public Mono<Void> closeGracefully() {
		return this.transport.closeGracefully();
	}

	@Override
	public List<String> protocolVersions() {
		return this.transport.protocolVersions();
	}

}

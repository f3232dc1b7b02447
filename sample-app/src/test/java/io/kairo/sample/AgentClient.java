package io.kairo.sample;

import java.time.Duration;
import java.util.Map;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;

/**
 * A real MCP client of the application, with a session of its own.
 *
 * @param mcp the client
 */
record AgentClient(McpSyncClient mcp) implements AutoCloseable {

	static AgentClient connect(int port) {
		McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + port).endpoint("/mcp").build())
			.requestTimeout(Duration.ofSeconds(150))
			.build();
		client.initialize();
		return new AgentClient(client);
	}

	CallToolResult call(String tool, Map<String, Object> arguments) {
		return this.mcp.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
	}

	static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	@Override
	public void close() {
		this.mcp.close();
	}

}

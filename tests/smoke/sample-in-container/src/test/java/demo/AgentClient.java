package demo;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * An MCP client of the application in the container.
 *
 * @param mcp the client
 */
record AgentClient(McpSyncClient mcp) implements AutoCloseable {

	static AgentClient connect(String url) {
		McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(url).endpoint("/mcp").build())
			.requestTimeout(Duration.ofSeconds(60))
			.build();
		client.initialize();
		return new AgentClient(client);
	}

	List<String> tools() {
		return this.mcp.listTools().tools().stream().map(Tool::name).toList();
	}

	CallToolResult call(String tool, Map<String, Object> arguments) {
		return this.mcp.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
	}

	String text(String tool, Map<String, Object> arguments) {
		return ((TextContent) call(tool, arguments).content().get(0)).text();
	}

	String bash(String command) {
		return text("Bash", Map.of("command", command));
	}

	@Override
	public void close() {
		this.mcp.close();
	}

}

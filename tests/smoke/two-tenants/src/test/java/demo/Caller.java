package demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;

/**
 * A user with an MCP client, or with bare hands.
 */
final class Caller implements AutoCloseable {

	private final HttpClient http = HttpClient.newHttpClient();

	private final String url;

	private final String credentials;

	private McpSyncClient client;

	Caller(int port, String user) {
		this.url = "http://127.0.0.1:" + port;
		this.credentials = "Basic " + Base64.getEncoder()
			.encodeToString((user + ":" + user + "-password").getBytes(StandardCharsets.UTF_8));
	}

	CallToolResult call(String tool, Map<String, Object> arguments) {
		if (this.client == null) {
			this.client = McpClient
				.sync(HttpClientStreamableHttpTransport.builder(this.url)
					.requestBuilder(HttpRequest.newBuilder().header("Authorization", this.credentials))
					.build())
				.build();
			this.client.initialize();
		}
		return this.client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
	}

	String text(String tool, Map<String, Object> arguments) {
		return text(call(tool, arguments));
	}

	static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	HttpResponse<String> get(String path) throws IOException, InterruptedException {
		return this.http.send(request(path).build(), BodyHandlers.ofString());
	}

	HttpResponse<String> postJson(String path, String body) throws IOException, InterruptedException {
		return this.http.send(
				request(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body)).build(),
				BodyHandlers.ofString());
	}

	/**
	 * Posts a message to the MCP endpoint, in a session that may be somebody else's.
	 */
	HttpResponse<String> post(String session, String message) throws IOException, InterruptedException {
		HttpRequest.Builder request = request("/mcp").header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream")
			.POST(BodyPublishers.ofString(message));
		if (session != null) {
			request.header("Mcp-Session-Id", session);
		}
		return this.http.send(request.build(), BodyHandlers.ofString());
	}

	/**
	 * Listens in a session that may be somebody else's. Returns when it is refused.
	 */
	HttpResponse<String> listen(String session) throws IOException, InterruptedException {
		return this.http.send(request("/mcp").header("Accept", "text/event-stream")
			.header("Mcp-Session-Id", session)
			.timeout(Duration.ofSeconds(10))
			.build(), BodyHandlers.ofString());
	}

	/**
	 * Ends a session that may be somebody else's.
	 */
	HttpResponse<String> delete(String session) throws IOException, InterruptedException {
		return this.http.send(request("/mcp").header("Mcp-Session-Id", session).DELETE().build(), BodyHandlers.ofString());
	}

	/**
	 * Opens a session by hand.
	 * @return its id
	 */
	String openSession() throws IOException, InterruptedException {
		String session = post(null, """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"hand","version":"1"}}}""").headers()
			.firstValue("Mcp-Session-Id")
			.orElseThrow();
		post(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
		return session;
	}

	private HttpRequest.Builder request(String path) {
		return HttpRequest.newBuilder(URI.create(this.url + path)).header("Authorization", this.credentials);
	}

	@Override
	public void close() {
		if (this.client != null) {
			this.client.close();
		}
	}

}

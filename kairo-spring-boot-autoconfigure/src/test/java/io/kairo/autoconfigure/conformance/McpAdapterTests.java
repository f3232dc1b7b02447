package io.kairo.autoconfigure.conformance;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.governance.audit.AuditRecord;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The contract of adapters for an MCP server over streamable HTTP.
 */
class McpAdapterTests extends AdapterContract {

	/** The session and the id of the last call. */
	private final AtomicReference<HttpRequest> last = new AtomicReference<>();

	private final Map<String, McpSyncClient> clients = new ConcurrentHashMap<>();

	@Override
	String name() {
		return "mcp";
	}

	@Override
	Stream<String> properties() {
		return Stream.of("spring.ai.mcp.server.protocol=streamable");
	}

	@Override
	boolean choosesForm() {
		return true;
	}

	/**
	 * Returns the port that clients connect to.
	 */
	int port(ApplicationContext context) {
		return ((WebServerApplicationContext) context).getWebServer().getPort();
	}

	private String url(ApplicationContext context) {
		return "http://127.0.0.1:" + port(context);
	}

	@Override
	@SuppressWarnings("unchecked")
	Answer call(ApplicationContext context, @Nullable TenantContext tenant, String tool,
			Map<String, Object> arguments) {
		McpSyncClient client = this.clients.computeIfAbsent(String.valueOf(tenant), (key) -> open(context));
		CallToolResult result = client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
		return new Answer(((TextContent) result.content().get(0)).text(),
				(Map<String, Object>) result.structuredContent(), Boolean.TRUE.equals(result.isError()));
	}

	private McpSyncClient open(ApplicationContext context) {
		McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder(url(context))
				.httpRequestCustomizer(
						(request, method, endpoint, body, attributes) -> this.last.set(request.copy().build()))
				.build())
			.requestTimeout(Duration.ofSeconds(30))
			.build();
		client.initialize();
		return client;
	}

	@Test
	void callHasTheIdOfItsRequest() throws Exception {
		start();
		call("Info", Map.of());
		call("Info", Map.of());
		await().untilAsserted(() -> assertThat(records(AuditRecord.Event.CALL_ENDED)).extracting(AuditRecord::callId)
			.hasSize(2)
			.doesNotContain("")
			.doesNotHaveDuplicates());
	}

	@Test
	void tenantIsResolvedOnceForACall() throws Exception {
		start();
		call("Info", Map.of());
		int before = resolvedTenants();
		for (int i = 0; i < 20; i++) {
			call("Info", Map.of());
		}
		// a client may also open its event stream
		assertThat(resolvedTenants() - before).isBetween(20, 25);
	}

	@AfterEach
	void closeClients() {
		this.clients.values().forEach(McpSyncClient::close);
	}

	/**
	 * Ends the session of the call, as a client that goes away does.
	 */
	@Override
	void cancel(ApplicationContext context, Thread caller) throws Exception {
		HttpRequest request = this.last.get();
		HttpRequest.Builder end = HttpRequest.newBuilder(URI.create(url(context) + "/mcp")).DELETE();
		request.headers()
			.map()
			.forEach((name, values) -> values.stream()
				.filter((value) -> name.toLowerCase(Locale.ROOT).startsWith("mcp-"))
				.forEach((value) -> end.header(name, value)));
		HttpResponse<String> response = HttpClient.newHttpClient()
			.send(end.build(), HttpResponse.BodyHandlers.ofString());
		if (response.statusCode() >= 300) {
			throw new IllegalStateException("The session was not ended: " + response.statusCode());
		}
		caller.interrupt();
	}

}

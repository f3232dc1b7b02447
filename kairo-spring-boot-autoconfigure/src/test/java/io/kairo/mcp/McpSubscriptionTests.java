package io.kairo.mcp;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.tools.AgentSessions;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.UnsubscribeRequest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for subscriptions of MCP clients to files.
 */
@Timeout(90)
class McpSubscriptionTests {

	private static final String A = "kairo://workspace/a.txt";

	@RegisterExtension
	private static final SharedApplications<McpTestServer> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private McpTestServer server;

	@BeforeEach
	void createFiles() throws Exception {
		for (String tenant : List.of("acme", "other")) {
			SharedApplications.empty(directory.resolve(tenant));
			Files.writeString(directory.resolve(tenant + "/a.txt"), "first");
		}
	}

	private void start(String... more) {
		List<String> all = new ArrayList<>(List.of("--spring.ai.mcp.server.protocol=streamable",
				"--kairo.workspace.roots=" + directory + "/{tenant}", "--kairo.sandbox.type=process",
				"--kairo.mcp.expose=*", "--kairo.mcp.resources.poll-interval=20ms"));
		all.addAll(List.of(more));
		this.server = applications.get((arguments) -> new McpTestServer(List.of(), arguments),
				all.toArray(String[]::new));
	}

	@AfterEach
	void awaitEndOfSubscriptions() {
		await().until(() -> subscriptions().count() == 0);
	}

	@Test
	void changesByToolsCommandsAndOthersAreTold() throws Exception {
		start();
		List<String> told = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = this.server.client("acme/ann", telling(told))) {
			assertThat(client.getServerCapabilities().resources().subscribe()).isTrue();
			client.subscribeResource(new SubscribeRequest(A));
			call(client, "Bash", Map.of("command", "echo second > a.txt"));
			await().until(() -> told.contains("second\n"));
			call(client, "Read", Map.of("file_path", "a.txt"));
			call(client, "Write", Map.of("file_path", "a.txt", "content", "third"));
			await().until(() -> told.contains("third"));
			Files.writeString(directory.resolve("acme/b.txt"), "fourth");
			Files.move(directory.resolve("acme/b.txt"), directory.resolve("acme/a.txt"),
					StandardCopyOption.REPLACE_EXISTING);
			await().until(() -> told.contains("fourth"));
			client.unsubscribeResource(new UnsubscribeRequest(A));
			assertThat(subscriptions().count()).isZero();
		}
	}

	@Test
	void changeIsToldWhenClientOpensItsEventStreamLater() throws Exception {
		start();
		HttpClient http = HttpClient.newHttpClient();
		String session = http
			.send(request(null,
					"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{"
							+ "\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},"
							+ "\"clientInfo\":{\"name\":\"test\",\"version\":\"1\"}}}")
				.build(), BodyHandlers.ofString())
			.headers()
			.firstValue("Mcp-Session-Id")
			.orElseThrow();
		http.send(request(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}").build(),
				BodyHandlers.ofString());
		assertThat(http
			.send(request(session,
					"{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"resources/subscribe\",\"params\":{\"uri\":\"" + A
							+ "\"}}")
				.build(), BodyHandlers.ofString())
			.body()).isEqualTo("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}");
		Files.writeString(directory.resolve("acme/a.txt"), "second");
		HttpRequest events = HttpRequest.newBuilder(uri())
			.header("X-Caller", "acme/ann")
			.header("Mcp-Session-Id", session)
			.header("Accept", "text/event-stream")
			.build();
		try (var lines = http.send(events, BodyHandlers.ofLines()).body()) {
			assertThat(lines.filter((line) -> line.startsWith("data:")).findFirst()).hasValue(
					"data:{\"jsonrpc\":\"2.0\",\"method\":\"notifications/resources/updated\",\"params\":{\"uri\":\""
							+ A + "\"}}");
		}
		http.send(request(session, "").method("DELETE", HttpRequest.BodyPublishers.noBody()).build(),
				BodyHandlers.discarding());
	}

	@Test
	void otherTenantsAndSessionsLearnNothing() throws Exception {
		start();
		List<String> told = new CopyOnWriteArrayList<>();
		List<String> others = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = this.server.client("acme/ann", telling(told));
				McpSyncClient idle = this.server.client("acme/ann", telling(others));
				McpSyncClient other = this.server.client("other/ann", telling(others))) {
			client.subscribeResource(new SubscribeRequest(A));
			other.subscribeResource(new SubscribeRequest(A));
			Files.writeString(directory.resolve("acme/b.txt"), "");
			for (String uri : List.of("kairo://workspace/b.txt", "kairo://workspace/../acme/a.txt",
					"kairo://workspace/%2e%2e/acme/a.txt", "kairo://workspace/" + directory.resolve("acme/a.txt"))) {
				assertThatExceptionOfType(McpError.class)
					.isThrownBy(() -> other.subscribeResource(new SubscribeRequest(uri)));
			}
			Files.writeString(directory.resolve("acme/a.txt"), "second");
			Files.writeString(directory.resolve("acme/b.txt"), "second");
			await().until(() -> told.contains("second"));
			await().during(Duration.ofMillis(500)).until(() -> others.isEmpty() && idle.ping() != null);
			Files.writeString(directory.resolve("other/a.txt"), "of other");
			await().until(() -> others.equals(List.of("of other")));
		}
	}

	@Test
	void subscriptionsAreBounded() {
		start("--kairo.mcp.resources.subscriptions-per-session=3", "--kairo.mcp.resources.subscriptions-per-tenant=5");
		try (McpSyncClient client = this.server.client("acme/ann");
				McpSyncClient second = this.server.client("acme/bob");
				McpSyncClient other = this.server.client("other/ann")) {
			int refused = 0;
			for (int i = 0; i < 100; i++) {
				refused += subscribe((i % 2 == 0) ? "own://" + i : A, client) ? 0 : 1;
			}
			assertThat(subscriptions().count()).isEqualTo(3);
			assertThat(refused).isGreaterThan(30);
			McpError error = catchThrowableOfType(McpError.class,
					() -> client.subscribeResource(new SubscribeRequest("own://more")));
			assertThat(error.getJsonRpcError().code()).isEqualTo(ErrorCodes.INVALID_PARAMS);
			assertThat(error).hasMessageContaining("The session has 3 subscriptions");
			second.subscribeResource(new SubscribeRequest(A));
			second.subscribeResource(new SubscribeRequest("own://1"));
			assertThatExceptionOfType(McpError.class)
				.isThrownBy(() -> second.subscribeResource(new SubscribeRequest("own://2")))
				.withMessageContaining("The tenant has 5 subscriptions");
			other.subscribeResource(new SubscribeRequest(A));
			client.unsubscribeResource(new UnsubscribeRequest("own://0"));
			second.subscribeResource(new SubscribeRequest("own://2"));
		}
		await().until(() -> subscriptions().count() == 0);
	}

	@Test
	void tenThousandSubscriptionsOfTenantDelayNoOther() throws Exception {
		for (int i = 0; i < 1000; i++) {
			Files.writeString(directory.resolve("acme/" + i), "x".repeat(10_000));
		}
		start("--kairo.mcp.resources.subscriptions-per-session=10000",
				"--kairo.mcp.resources.subscriptions-per-tenant=10000");
		List<String> told = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = this.server.client("acme/ann");
				McpSyncClient other = this.server.client("other/ann", telling(told))) {
			McpSubscriptions subscriptions = subscriptions();
			TenantContext owner = new TenantContext("acme", "ann");
			client.subscribeResource(new SubscribeRequest("kairo://workspace/1"));
			String session = this.server.context()
				.getBean(AgentSessions.class)
				.list()
				.stream()
				.filter((each) -> each.tenant().tenantId().equals("acme"))
				.findFirst()
				.orElseThrow()
				.id();
			for (int i = 1; i < 10_000; i++) {
				subscriptions.add(owner, session, "kairo://workspace/%s#%s".formatted(i % 1000, i),
						new McpFileUri(String.valueOf(i % 1000)), "");
			}
			assertThatExceptionOfType(McpError.class)
				.isThrownBy(() -> client.subscribeResource(new SubscribeRequest("kairo://workspace/2")));
			other.subscribeResource(new SubscribeRequest(A));
			Files.writeString(directory.resolve("other/a.txt"), "second");
			await().until(() -> told.contains("second"));
		}
	}

	@Test
	void sessionThatExpiresLosesItsSubscriptions() {
		start("--kairo.mcp.session-timeout=1s");
		McpSyncClient client = this.server.client("acme/ann");
		client.subscribeResource(new SubscribeRequest(A));
		assertThat(subscriptions().count()).isOne();
		await().until(() -> subscriptions().count() == 0);
		client.close();
	}

	private static boolean subscribe(String uri, McpSyncClient client) {
		try {
			client.subscribeResource(new SubscribeRequest(uri));
			return true;
		}
		catch (McpError ex) {
			return false;
		}
	}

	private McpSubscriptions subscriptions() {
		return this.server.context().getBean(McpSubscriptions.class);
	}

	/**
	 * Reads the text of each resource that has changed, as the client of the SDK does.
	 */
	private static UnaryOperator<McpClient.SyncSpec> telling(List<String> told) {
		return (client) -> client.resourcesUpdateConsumer((contents) -> {
			for (ResourceContents each : contents) {
				told.add(((TextResourceContents) each).text());
			}
		});
	}

	private static void call(McpSyncClient client, String tool, Map<String, Object> arguments) {
		client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
	}

	private URI uri() {
		return URI.create("http://127.0.0.1:" + this.server.port() + "/mcp");
	}

	private HttpRequest.Builder request(String session, String message) {
		HttpRequest.Builder request = HttpRequest.newBuilder(uri())
			.header("X-Caller", "acme/ann")
			.header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream")
			.POST(HttpRequest.BodyPublishers.ofString(message));
		return (session != null) ? request.header("Mcp-Session-Id", session) : request;
	}

}

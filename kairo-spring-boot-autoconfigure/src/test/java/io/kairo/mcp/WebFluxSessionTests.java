package io.kairo.mcp;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kairo.autoconfigure.SharedApplications;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.tools.AgentSessions;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Hooks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the sessions of the MCP server of a reactive application.
 */
@Timeout(90)
@DisabledOnOs(OS.WINDOWS)
class WebFluxSessionTests {

	private static final String INITIALIZE = """
			{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
			"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""";

	private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

	private static final String CANCELLED = """
			{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}""";

	private static final String END = "\r\n0\r\n\r\n";

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private ConfigurableApplicationContext context;

	private RawHttpClient http;

	/** The sessions of the test, with their users. */
	private final Map<String, String> sessions = new HashMap<>();

	private final Instant started = Instant.now();

	/** A file of this test alone: a command of the previous one may still be starting. */
	private final String marker = "started-" + UUID.randomUUID();

	private final String sleep = """
			{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Bash",\
			"arguments":{"command":"touch %s; exec sleep 300","timeout":600000}}}""".formatted(this.marker);

	private void start(String... arguments) throws Exception {
		for (String tenant : List.of("a", "b")) {
			SharedApplications.empty(directory.resolve("files").resolve(tenant));
		}
		this.context = applications.get(new SpringApplication(HostileWebFluxClientTests.Application.class)::run, Stream
			.of(Stream.of("server.port=0", "server.address=127.0.0.1",
					"kairo.workspace.roots=" + directory.resolve("files") + "/{tenant}",
					"kairo.state-dir=" + directory.resolve("state"), "kairo.sandbox.type=process", "kairo.mcp.expose=*",
					"kairo.mcp.resources.poll-interval=20ms", "kairo.mcp.limits.sessions-per-tenant=3",
					"kairo.mcp.limits.sessions=5", "kairo.mcp.limits.streams-per-tenant=2",
					"kairo.mcp.limits.streams=4"), WebFluxMcpServer.properties("streamable"), Stream.of(arguments))
			.flatMap((each) -> each)
			.map((property) -> "--" + property)
			.toArray(String[]::new));
		this.http = new RawHttpClient(port());
	}

	private int port() {
		return ((WebServerApplicationContext) this.context).getWebServer().getPort();
	}

	@AfterEach
	void stop() throws Exception {
		for (Map.Entry<String, String> session : this.sessions.entrySet()) {
			exchange("DELETE", session.getValue(), session.getKey(), "");
		}
		this.http.close();
		Hooks.disableAutomaticContextPropagation();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofSeconds(30));
	}

	private Map<String, String> headers(String user, String session) {
		Map<String, String> headers = this.http.headers(session);
		headers.put("Test-User", user);
		return headers;
	}

	private RawHttpClient.Response exchange(String method, String user, String session, String body)
			throws IOException {
		return this.http.exchange(method, "/mcp", headers(user, session), body);
	}

	private String open(String user) throws IOException {
		String session = exchange("POST", user, null, INITIALIZE).header("Mcp-Session-Id");
		this.sessions.put(session, user);
		return session;
	}

	private int ping(String user, String session) throws IOException {
		return exchange("POST", user, session, PING).status();
	}

	/**
	 * Sends a request, and leaves its connection open.
	 */
	private Socket send(String method, String user, String session, String body) throws IOException {
		Map<String, String> headers = headers(user, session);
		if (method.equals("POST")) {
			headers.put("Content-Length", String.valueOf(body.length()));
		}
		return this.http.send(method, "/mcp", headers, body.getBytes(StandardCharsets.UTF_8));
	}

	private Socket sleep(String user, String session) throws IOException {
		Socket call = send("POST", user, session, this.sleep);
		eventually().until(() -> Files.exists(directory.resolve("files").resolve(user).resolve(this.marker)));
		return call;
	}

	private void awaitCancelledCall() {
		eventually().until(() -> endedCalls().anyMatch((record) -> "cancelled".equals(record.code())));
	}

	private Stream<AuditRecord> endedCalls() {
		return this.context.getBean(HostileWebFluxClientTests.Records.class)
			.records()
			.stream()
			.filter((record) -> record.event() == AuditRecord.Event.CALL_ENDED)
			.filter((record) -> !record.time().isBefore(this.started));
	}

	/**
	 * Reads a stream up to a text, or to its end.
	 */
	private static String read(Socket stream, String end) throws IOException {
		StringBuilder text = new StringBuilder();
		while (text.indexOf(end) < 0) {
			int next = stream.getInputStream().read();
			if (next < 0) {
				break;
			}
			text.append((char) next);
		}
		return text.toString();
	}

	private int sessionsOfTransport() {
		return this.context.getBean(McpSessions.class).count();
	}

	private McpSyncClient client(String user, AtomicInteger progress, List<String> updated) {
		McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder("http://localhost:" + port())
				.httpRequestCustomizer(
						(request, method, endpoint, body, attributes) -> request.header("Test-User", user))
				.build())
			.progressConsumer((notification) -> progress.incrementAndGet())
			.resourcesUpdateConsumer(
					(contents) -> contents.forEach((content) -> updated.add(((TextResourceContents) content).text())))
			.requestTimeout(Duration.ofSeconds(30))
			.build();
		client.initialize();
		return client;
	}

	@Test
	void sessionIsThatOfItsTenantAlone() throws Exception {
		start();
		String session = open("a");
		for (String method : List.of("POST", "GET", "DELETE")) {
			assertThat(exchange(method, "b", session, PING).status()).as(method).isEqualTo(404);
			assertThat(exchange(method, "a", "unknown", PING).status()).as(method).isEqualTo(404);
			assertThat(this.http.exchange(method, "/mcp", this.http.headers(session), PING).status()).as(method)
				.isEqualTo(404);
		}
		assertThat(ping("a", session)).isEqualTo(200);
		assertThat(exchange("POST", "a", null, PING).status()).isEqualTo(400);
	}

	@Test
	void otherTenantCannotCancelCall() throws Exception {
		start();
		String session = open("a");
		Socket call = sleep("a", session);
		assertThat(exchange("POST", "b", session, CANCELLED).status()).isEqualTo(404);
		assertThat(exchange("POST", "b", open("b"), CANCELLED).status()).isEqualTo(202);
		assertThat(endedCalls()).isEmpty();
		assertThat(exchange("POST", "a", session, CANCELLED).status()).isEqualTo(202);
		awaitCancelledCall();
		assertThat(read(call, "}\n\n")).contains("\"id\":7", "cancelled");
	}

	@Test
	void deleteEndsSessionWithItsCommandAndStream() throws Exception {
		start();
		String session = open("a");
		Socket stream = send("GET", "a", session, "");
		assertThat(read(stream, ":\n")).contains("text/event-stream");
		Socket call = sleep("a", session);
		assertThat(this.context.getBean(AgentSessions.class).list()).hasSize(1);
		assertThat(exchange("DELETE", "a", session, "").status()).isEqualTo(200);
		awaitCancelledCall();
		assertThat(read(stream, END)).endsWith(END).doesNotContain("data:");
		assertThat(read(call, "}\n\n")).contains("cancelled");
		eventually().until(() -> this.context.getBean(AgentSessions.class).list().isEmpty());
		assertThat(ping("a", session)).isEqualTo(404);
		assertThat(sessionsOfTransport()).isZero();
	}

	@Test
	void callOfClientThatIsGoneIsCancelledAndItsSlotGivenBack() throws Exception {
		start("kairo.mcp.limits.requests-per-tenant=1");
		String session = open("a");
		List<Socket> calls = new ArrayList<>();
		// the slot of a request is given back just after its answer
		eventually().pollInterval(Duration.ofSeconds(1)).until(() -> {
			calls.add(send("POST", "a", session, this.sleep));
			return Files.exists(directory.resolve("files/a").resolve(this.marker));
		});
		assertThat(ping("a", session)).isEqualTo(429);
		for (Socket call : calls) {
			call.close();
		}
		awaitCancelledCall();
		eventually().until(() -> ping("a", session) == 200);
	}

	@Test
	void callOfSessionThatTimesOutIsCancelled() throws Exception {
		start("kairo.mcp.heartbeat-interval=100ms", "kairo.mcp.session-timeout=2s");
		String session = open("a");
		assertThat(exchange("POST", "a", session, this.sleep).text()).contains("\"id\":7", "cancelled");
		eventually().until(() -> ping("a", session) == 404);
	}

	@Test
	void tenantWithManySessionsLosesItsOwn() throws Exception {
		start();
		String other = open("b");
		List<String> sessions = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			sessions.add(open("a"));
		}
		List<Integer> statuses = new ArrayList<>();
		for (String session : sessions) {
			statuses.add(ping("a", session));
		}
		assertThat(statuses).containsExactly(404, 404, 404, 404, 404, 404, 404, 200, 200, 200);
		assertThat(ping("b", other)).isEqualTo(200);
		assertThat(sessionsOfTransport()).isEqualTo(4);
	}

	@Test
	void sessionHasOneStreamAndTenantFewOfThem() throws Exception {
		start();
		String session = open("a");
		Socket first = send("GET", "a", session, "");
		read(first, ":\n");
		Socket second = send("GET", "a", session, "");
		assertThat(read(second, ":\n")).contains(" 200 ");
		read(first, END);
		read(send("GET", "a", open("a"), ""), ":\n");
		String more = open("a");
		assertThat(exchange("GET", "a", more, "").status()).isEqualTo(429);
		assertThat(read(send("GET", "b", open("b"), ""), ":\n")).contains(" 200 ");
		second.close();
		eventually().until(() -> {
			Socket third = send("GET", "a", more, "");
			return read(third, ":\n").contains(" 200 ");
		});
	}

	@Test
	void streamEndsBeforeGracefulShutdown() throws Exception {
		applications.close(); // an application ends the threads of all others
		start("spring.lifecycle.timeout-per-shutdown-phase=60s");
		Socket stream = send("GET", "a", open("a"), "");
		read(stream, ":\n");
		Thread shutdown = new Thread(this.context::close);
		shutdown.start();
		read(stream, END);
		shutdown.join(30_000);
		assertThat(shutdown.isAlive()).isFalse();
		applications.close();
		this.sessions.clear();
	}

	@Test
	void clientThatWaitsReceivesComments() throws Exception {
		start("kairo.mcp.heartbeat-interval=20ms");
		String session = open("a");
		assertThat(read(send("POST", "a", session, this.sleep), ":\n\r\n2\r\n:\n")).contains("text/event-stream");
	}

	@Test
	void errorsHaveNoStackTrace() throws Exception {
		start();
		String session = open("a");
		for (String body : List.of("{", "[]", "{\"jsonrpc\":\"2.0\",\"id\":1}", PING + PING)) {
			RawHttpClient.Response response = exchange("POST", "a", session, body);
			assertThat(response.status()).as(body).isEqualTo(400);
			assertThat(response.text()).contains("\"error\"").doesNotContain("stackTrace", "io.modelcontext");
		}
		assertThat(exchange("POST", "a", session, PING.replace("ping", "no/such")).text()).contains("-32601");
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "limited" })
	void clientOfSdkReceivesProgressAndChangesBetweenComments(String propagation) throws Exception {
		start("kairo.mcp.heartbeat-interval=1ms", "spring.reactor.context-propagation=" + propagation);
		Path file = directory.resolve("files/a/a.txt");
		Files.writeString(file, "first");
		AtomicInteger progress = new AtomicInteger();
		List<String> updated = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = client("a", progress, updated);
				McpSyncClient other = client("b", new AtomicInteger(), updated)) {
			String text = ((TextContent) client
				.callTool(CallToolRequest.builder("Bash")
					.arguments(Map.of("command", "for i in 1 2 3; do seq 1 500; sleep 0.7; done"))
					.meta(Map.of("progressToken", "t"))
					.build())
				.content()
				.get(0)).text();
			assertThat(text).contains("\n499\n500\n1\n2\n");
			eventually().until(() -> progress.get() > 0);
			String uri = "kairo://workspace/a.txt";
			assertThat(client.readResource(ReadResourceRequest.builder(uri).build()).contents().toString())
				.contains("first");
			assertThat(client.getServerCapabilities().resources().subscribe()).isTrue();
			client.subscribeResource(new SubscribeRequest(uri));
			Files.writeString(file, "second");
			eventually().until(() -> updated.contains("second"));
			assertThat(other.listResources().resources()).isEmpty();
		}
		eventually().until(() -> sessionsOfTransport() == 0);
	}

}

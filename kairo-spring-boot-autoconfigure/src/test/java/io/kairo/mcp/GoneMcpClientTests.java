package io.kairo.mcp;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.kairo.tools.Cancellation;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.apache.catalina.core.StandardContext;
import org.apache.coyote.AbstractProtocol;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the calls of MCP clients that are gone, and of those that wait.
 */
@Timeout(150)
class GoneMcpClientTests {

	private static final String INITIALIZE = """
			{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
			"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""";

	private static final String INITIALIZED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";

	private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

	private static final String BASH = """
			{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"Bash",\
			"arguments":{"command":"touch started; exec sleep 300","timeout":600000}}}""";

	/** A call that lasts until it is cancelled or released by the test. */
	private static final String LIST = """
			{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"List","arguments":{}}}""";

	private static final String CANCELLED = """
			{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}""";

	@TempDir
	private Path directory;

	/** The calls of List that have begun, each open until it can go on. */
	private final List<CountDownLatch> lists = new CopyOnWriteArrayList<>();

	/** The texts of the results of all calls. */
	private final List<String> results = new CopyOnWriteArrayList<>();

	private ConfigurableApplicationContext context;

	private TomcatWebServer server;

	private RawHttpClient http;

	private void start(String protocol, String... arguments) {
		SpringApplication application = new SpringApplication(HostileMcpClientTests.Application.class);
		application.addInitializers((context) -> ((GenericApplicationContext) context)
			.registerBean(ToolInterceptor.class, () -> this::intercept));
		this.context = application.run(Stream
			.concat(Stream.of("--server.port=0", "--server.address=127.0.0.1", "--server.shutdown=immediate",
					"--spring.ai.mcp.server.protocol=" + protocol, "--kairo.workspace.roots=" + this.directory,
					"--kairo.sandbox.type=process", "--kairo.mcp.expose=*"), Stream.of(arguments))
			.toArray(String[]::new));
		this.server = (TomcatWebServer) ((WebServerApplicationContext) this.context).getWebServer();
		this.http = new RawHttpClient(this.server.getPort());
	}

	private ToolResult intercept(ToolCall call, ToolContext tool, ToolInterceptor.Chain chain) {
		if (call.name().equals("List")) {
			CountDownLatch list = new CountDownLatch(1);
			this.lists.add(list);
			try (Cancellation.Registration registration = tool.cancellation().onCancel(list::countDown)) {
				list.await(120, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
		ToolResult result = tool.cancellation().isCancelled() ? ToolResult.failure("cancelled", "cancelled", null)
				: chain.proceed(call, tool);
		this.results.add(result.text());
		return result;
	}

	@AfterEach
	void stop() throws Exception {
		this.lists.forEach(CountDownLatch::countDown);
		this.http.close();
		this.context.close();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofSeconds(60));
	}

	/**
	 * Reads a response up to a text, or to its end.
	 */
	private static String read(Socket response, String end) throws IOException {
		StringBuilder text = new StringBuilder();
		while (text.indexOf(end) < 0) {
			int next = response.getInputStream().read();
			if (next < 0) {
				break;
			}
			text.append((char) next);
		}
		return text.toString();
	}

	private RawHttpClient.Response post(String path, String session, String body) throws IOException {
		return this.http.exchange("POST", path, this.http.headers(session), body);
	}

	private String session() throws IOException {
		return post("/mcp", null, INITIALIZE).header("Mcp-Session-Id");
	}

	private Socket call(String path, String session, String body) throws IOException {
		Map<String, String> headers = this.http.headers(session);
		headers.put("Content-Length", String.valueOf(body.length()));
		return this.http.send("POST", path, headers, body.getBytes(StandardCharsets.UTF_8));
	}

	private void awaitCalls(int count) {
		eventually().until(() -> this.lists.size() == count);
	}

	private void awaitCancellations(int count) {
		eventually().until(() -> this.results.size() == count);
		assertThat(this.results).allMatch((text) -> text.contains("cancelled"));
	}

	/**
	 * Waits until the web server holds no connection but the one that it waits for.
	 */
	private void awaitEndOfConnections() {
		StandardContext application = (StandardContext) this.server.getTomcat().getHost().findChildren()[0];
		AbstractProtocol<?> connections = (AbstractProtocol<?>) this.server.getTomcat()
			.getConnector()
			.getProtocolHandler();
		eventually().until(() -> connections.getConnectionCount() <= 1 && application.getInProgressAsyncCount() == 0);
	}

	@Test
	void callOfClientThatIsGoneIsCancelledAndItsSlotGivenBack() throws Exception {
		start("streamable", "--kairo.mcp.heartbeat-interval=200ms", "--kairo.mcp.limits.requests-per-tenant=1");
		String session = session();
		List<Socket> calls = new ArrayList<>();
		// the slot of a request is given back just after its answer
		eventually().pollInterval(Duration.ofSeconds(1)).until(() -> {
			calls.add(call("/mcp", session, BASH));
			return Files.exists(this.directory.resolve("started"));
		});
		assertThat(post("/mcp", session, PING).status()).isEqualTo(429);
		for (Socket call : calls) {
			call.close();
		}
		awaitCancellations(1);
		eventually().until(() -> post("/mcp", session, PING).status() == 200);
		awaitEndOfConnections();
	}

	@Test
	void callsThatEndInSeveralWaysAtOnceLeaveNothingBehind() throws Exception {
		start("streamable", "--kairo.mcp.heartbeat-interval=20ms");
		List<String> sessions = new ArrayList<>();
		List<Socket> calls = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			sessions.add(session());
			calls.add(call("/mcp", sessions.get(i), LIST));
		}
		awaitCalls(40);
		for (int i = 0; i < 40; i++) {
			switch (i % 4) {
				case 0 -> calls.get(i).close();
				case 1 -> {
					calls.get(i).setSoLinger(true, 0);
					calls.get(i).close();
				}
				case 2 -> this.http.exchange("DELETE", "/mcp", this.http.headers(sessions.get(i)), "");
				default -> post("/mcp", sessions.get(i), CANCELLED);
			}
		}
		awaitCancellations(40);
		for (Socket call : calls) {
			call.close();
		}
		awaitEndOfConnections();
		assertThat(post("/mcp", session(), PING).status()).isEqualTo(200);
	}

	@Test
	void callOfClientThatRepeatsItAfterALostConnectionContinues() throws Exception {
		start("streamable", "--kairo.mcp.heartbeat-interval=200ms");
		String session = session();
		Socket lost = call("/mcp", session, LIST);
		awaitCalls(1);
		Socket repeated = call("/mcp", session, LIST);
		awaitCalls(2);
		lost.close();
		awaitCancellations(1);
		assertThat(this.lists.get(1).getCount()).isEqualTo(1);
		this.lists.get(1).countDown();
		assertThat(read(repeated, "}\n\n")).contains("\"id\":7").doesNotContain("cancelled");
	}

	@Test
	void callOfSessionThatTimesOutIsCancelled() throws Exception {
		start("streamable", "--kairo.mcp.heartbeat-interval=200ms", "--kairo.mcp.session-timeout=2s");
		Map<String, String> headers = this.http.headers(session());
		assertThat(this.http.exchange("POST", "/mcp", headers, LIST).text()).contains("\"id\":7", "cancelled");
	}

	@Test
	void clientThatWaitsReceivesCommentsAndThenItsResult() throws Exception {
		start("streamable", "--kairo.mcp.heartbeat-interval=20ms");
		HttpRequest.Builder request = HttpRequest
			.newBuilder(URI.create("http://127.0.0.1:" + this.server.getPort() + "/mcp"))
			.header("Mcp-Session-Id", session())
			.header("Accept", "application/json, text/event-stream")
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofString(LIST));
		HttpResponse<InputStream> response = HttpClient.newHttpClient()
			.send(request.build(), BodyHandlers.ofInputStream());
		assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream;charset=UTF-8");
		try (InputStream body = response.body()) {
			assertThat(new String(body.readNBytes(6), StandardCharsets.UTF_8)).isEqualTo(":\n".repeat(3));
			assertThat(this.results).isEmpty();
			this.lists.forEach(CountDownLatch::countDown);
			assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8))
				.matches("(:\n)*event:message\ndata:\\{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":.*}\n\n(:\n)*");
		}
	}

	@Test
	void clientOfSdkReceivesProgressAndResultBetweenComments() {
		start("streamable", "--kairo.mcp.heartbeat-interval=1ms");
		AtomicInteger progress = new AtomicInteger();
		String url = "http://127.0.0.1:" + this.server.getPort();
		try (McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(url).build())
			.requestTimeout(Duration.ofSeconds(60))
			.progressConsumer((notification) -> progress.incrementAndGet())
			.build()) {
			client.initialize();
			String text = ((TextContent) client
				.callTool(CallToolRequest.builder("Bash")
					.arguments(Map.of("command", "for i in 1 2 3; do seq 1 500; sleep 0.7; done"))
					.meta(Map.of("progressToken", "t"))
					.build())
				.content()
				.get(0)).text();
			assertThat(text).contains("\n499\n500\n1\n2\n");
			eventually().until(() -> progress.get() > 0);
		}
	}

}

package io.kairo.mcp;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.apache.catalina.core.StandardContext;
import org.apache.coyote.AbstractProtocol;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the bounds and the end of the event streams of MCP clients.
 */
@Timeout(150)
class McpStreamsTests {

	@TempDir
	private Path directory;

	private ConfigurableApplicationContext context;

	private TomcatWebServer server;

	private RawHttpClient http;

	private void start(String... arguments) {
		this.context = new SpringApplicationBuilder(HostileMcpClientTests.Application.class)
			.properties("server.port=0", "server.address=127.0.0.1", "server.shutdown=immediate",
					"kairo.workspace.roots=" + this.directory, "kairo.sandbox.type=none")
			.run(arguments);
		this.server = (TomcatWebServer) ((WebServerApplicationContext) this.context).getWebServer();
		this.http = new RawHttpClient(this.server.getPort());
	}

	@AfterEach
	void stop() throws Exception {
		this.http.close();
		this.context.close();
	}

	private static ConditionFactory eventually() {
		return await().atMost(Duration.ofSeconds(60));
	}

	private long count() {
		return this.context.getBean(McpSessions.class).streams();
	}

	/**
	 * Returns whether the streams and everything that the web server holds for them are
	 * gone.
	 */
	private boolean isFree() {
		StandardContext application = (StandardContext) this.server.getTomcat().getHost().findChildren()[0];
		return count() == 0 && application.getInProgressAsyncCount() == 0;
	}

	private long connections() {
		return ((AbstractProtocol<?>) this.server.getTomcat().getConnector().getProtocolHandler()).getConnectionCount();
	}

	private Map<String, String> headers(String tenant, String session) {
		Map<String, String> headers = this.http.headers(session);
		headers.put("Test-Tenant", tenant);
		return headers;
	}

	private String session(String tenant) throws IOException {
		return this.http.exchange("POST", "/mcp", headers(tenant, null), """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""").header("Mcp-Session-Id");
	}

	private int delete(String tenant, String session) throws IOException {
		return this.http.exchange("DELETE", "/mcp", headers(tenant, session), "").status();
	}

	private Socket request(String tenant, String session) throws IOException {
		return this.http.send("GET", "/mcp", headers(tenant, session), new byte[0]);
	}

	private Socket stream(String tenant, String session) throws IOException {
		Socket stream = request(tenant, session);
		assertThat(RawHttpClient.readStatus(stream)).isEqualTo(200);
		return stream;
	}

	private int status(String tenant, String session) throws IOException {
		try (Socket stream = request(tenant, session)) {
			return RawHttpClient.readStatus(stream);
		}
	}

	/**
	 * Reads a stream up to a text, or to its end.
	 */
	private static String read(Socket stream, String end) throws IOException {
		stream.setSoTimeout(60_000);
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

	private static void awaitEnd(Socket stream) throws IOException {
		read(stream, "\r\n0\r\n\r\n");
	}

	private static void assertHasHeartbeat(Socket stream) throws IOException {
		String two = "\r\n2\r\n:\n".repeat(2);
		assertThat(read(stream, two)).endsWith(two);
	}

	@Test
	void streamsThatWereOpenedAndClosedLeaveNothingBehind() throws Exception {
		start("--kairo.mcp.heartbeat-interval=20ms");
		String session = session("");
		for (int i = 0; i < 300; i++) {
			stream("", (i % 2 == 0) ? session : session("")).close();
		}
		eventually().until(this::isFree);
		// the server counts the connection that it waits for
		eventually().untilAsserted(() -> assertThat(connections()).isLessThanOrEqualTo(1));
	}

	@Test
	void newStreamOfSessionReplacesPreviousOne() throws Exception {
		start("--kairo.mcp.heartbeat-interval=20ms", "--kairo.mcp.limits.streams-per-tenant=1");
		String session = session("");
		Socket first = stream("", session);
		Socket second = stream("", session);
		awaitEnd(first);
		assertHasHeartbeat(second);
		assertThat(count()).isEqualTo(1);
	}

	@Test
	void streamsAreBoundedPerTenantAndInAll() throws Exception {
		start("--kairo.mcp.limits.streams=3", "--kairo.mcp.limits.streams-per-tenant=2");
		String session = session("a");
		stream("a", session);
		stream("a", session("a"));
		assertThat(status("a", session("a"))).isEqualTo(429);
		stream("b", session("b"));
		assertThat(status("b", session("b"))).isEqualTo(429);
		assertThat(delete("a", session)).isEqualTo(200);
		eventually().until(() -> status("b", session("b")) == 200);
	}

	@Test
	void streamEndsWhenItsSessionIsDeletedOrEvicted() throws Exception {
		start("--kairo.mcp.limits.sessions-per-tenant=1");
		String deleted = session("");
		Socket stream = stream("", deleted);
		assertThat(delete("", deleted)).isEqualTo(200);
		awaitEnd(stream);
		stream = stream("", session(""));
		session("");
		awaitEnd(stream);
		eventually().until(this::isFree);
	}

	@Test
	void streamEndsWhenItsSessionTimesOut() throws Exception {
		start("--kairo.mcp.heartbeat-interval=20ms", "--kairo.mcp.session-timeout=2s");
		awaitEnd(stream("", session("")));
	}

	@Test
	void gracefulShutdownDoesNotWaitForStreams() throws Exception {
		start("--server.shutdown=graceful", "--spring.lifecycle.timeout-per-shutdown-phase=60s");
		Socket stream = stream("", session(""));
		long started = System.nanoTime();
		this.context.close();
		assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(40));
		awaitEnd(stream);
	}

	@Test
	void clientReceivesEachEventBetweenComments() throws Exception {
		start("--kairo.mcp.heartbeat-interval=1ms");
		String url = "http://localhost:" + this.server.getPort();
		McpClientTransport transport = HttpClientStreamableHttpTransport.builder(url)
			.openConnectionOnStartup(true)
			.build();
		AtomicInteger received = new AtomicInteger();
		try (McpSyncClient client = McpClient.sync(transport)
			.requestTimeout(Duration.ofSeconds(60))
			.toolsChangeConsumer((tools) -> received.incrementAndGet())
			.build()) {
			client.initialize();
			eventually().until(() -> count() == 1);
			Socket other = stream("", session(""));
			for (int i = 0; i < 600; i++) {
				assertThat(read(other, "\r\n:\n")).endsWith(":\n");
			}
			// the client lists the tools after each, all at once, within
			// limits.requests-per-tenant
			for (int i = 0; i < 20; i++) {
				this.context.getBean(McpSyncServer.class).notifyToolsListChanged();
			}
			eventually().until(() -> received.get() == 20);
		}
	}

	@Test
	void streamsThatEndInSeveralWaysAtOnceBlockNoThread() throws Exception {
		start("--kairo.mcp.heartbeat-interval=20ms");
		List<String> sessions = new ArrayList<>();
		List<Socket> streams = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			sessions.add(session(""));
			streams.add(stream("", sessions.get(i)));
		}
		assertHasHeartbeat(streams.get(199));
		List<Callable<Integer>> ends = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			String session = sessions.get(i);
			Socket stream = streams.get(i);
			boolean vanishes = i % 2 == 0;
			ends.add(() -> {
				if (vanishes) {
					stream.close();
				}
				return delete("", session);
			});
			ends.add(() -> {
				String other = session("");
				request("", other);
				return delete("", other);
			});
		}
		ExecutorService clients = Executors.newFixedThreadPool(8);
		try {
			for (Future<Integer> end : clients.invokeAll(ends)) {
				assertThat(end.get()).isEqualTo(200);
			}
		}
		finally {
			clients.shutdownNow();
		}
		eventually().until(this::isFree);
		assertThat(ManagementFactory.getThreadMXBean().findDeadlockedThreads()).isNull();
		stream("", session(""));
	}

}

package io.kairo.autoconfigure.mcp;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientSseClientTransport;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpClientTransport;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the bounds of the MCP server against clients that do not keep to the protocol
 * and against web pages of other sites.
 */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
class HostileMcpClientTests {

	private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

	private static final String[] LIMITED = { "--kairo.mcp.max-request-size=10KB", "--kairo.mcp.limits.requests=5",
			"--kairo.mcp.limits.requests-per-tenant=3" };

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private ConfigurableApplicationContext context;

	private RawHttpClient http;

	private void start(String... arguments) {
		startWithProtocol("streamable", arguments);
	}

	private void startWithProtocol(String protocol, String... arguments) {
		this.context = applications.get(new SpringApplication(Application.class)::run,
				Stream.concat(
						Stream.of("--server.port=0", "--server.address=127.0.0.1", "--server.shutdown=immediate",
								"--spring.ai.mcp.server.protocol=" + protocol, "--kairo.workspace.roots=" + directory,
								"--kairo.sandbox.type=none", "--kairo.tenancy.limits.limited.calls-per-minute=2"),
						Stream.of(arguments))
					.toArray(String[]::new));
		this.http = new RawHttpClient(((WebServerApplicationContext) this.context).getWebServer().getPort());
	}

	@AfterEach
	void stop() throws Exception {
		this.http.close();
	}

	private static String initialize(String name) {
		return """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"%s","version":"1"}}}""".formatted(name);
	}

	private RawHttpClient.Response post(Map<String, String> headers, String body) throws Exception {
		return this.http.exchange("POST", "/mcp", headers, body);
	}

	private Map<String, String> headers(String name, String value) {
		Map<String, String> headers = this.http.headers(null);
		headers.put(name, value);
		return headers;
	}

	private Map<String, String> ofTenant(String tenant, String session) {
		Map<String, String> headers = this.http.headers(session);
		headers.put("Test-Tenant", tenant);
		return headers;
	}

	private String open(String tenant) throws Exception {
		return post(ofTenant(tenant, null), initialize("test")).header("Mcp-Session-Id");
	}

	private int ping(String tenant, String session) throws Exception {
		return post(ofTenant(tenant, session), PING).status();
	}

	@ParameterizedTest
	@CsvSource({ "streamable, POST, /mcp", "streamable, GET, /mcp", "stateless, POST, /mcp", "sse, GET, /sse",
			"sse, POST, /mcp/message?sessionId=x" })
	void requestForNameThatWasReboundToLoopbackIsRefused(String protocol, String method, String path) throws Exception {
		startWithProtocol(protocol);
		RawHttpClient.Response response = this.http.exchange(method, path, headers("Host", "evil.example"),
				initialize("test"));
		assertThat(response.status()).isEqualTo(403);
		assertThat(response.text()).contains("kairo.mcp.allowed-origins").doesNotContain("serverInfo");
	}

	@ParameterizedTest
	@ValueSource(strings = { "https://evil.example", "null", "http://localhost:1", "http://127.0.0.1.evil.example",
			"file://", "http://localhost:80@evil.example" })
	void pageOfOtherSiteIsRefused(String origin) throws Exception {
		start();
		assertThat(post(headers("Origin", origin), initialize("test")).status()).isEqualTo(403);
	}

	@Test
	void ownPageIsServed() throws Exception {
		start();
		String host = this.http.headers(null).get("Host");
		assertThat(post(headers("Origin", "http://" + host), initialize("test")).status()).isEqualTo(200);
	}

	@Test
	void allowedOriginIsServedUnderItsHost() throws Exception {
		start("--kairo.mcp.allowed-origins=https://agents.example.org");
		Map<String, String> headers = headers("Origin", "https://agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
		headers.put("Host", "Agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
		headers.put("Origin", "http://agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(403);
	}

	@Test
	void everyOriginIsServedWithWildcard() throws Exception {
		start("--kairo.mcp.allowed-origins=*");
		Map<String, String> headers = headers("Origin", "https://a.example");
		headers.put("Host", "b.example");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void messageThatPagesCanSendWithoutPermissionIsRefused(String protocol) throws Exception {
		startWithProtocol(protocol);
		assertThat(post(headers("Content-Type", "text/plain"), initialize("test")).status()).isEqualTo(415);
		Map<String, String> untyped = this.http.headers(null);
		untyped.remove("Content-Type");
		assertThat(post(untyped, initialize("test")).status()).isEqualTo(415);
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void messageAboveMaximumSizeIsRefused(String protocol) throws Exception {
		startWithProtocol(protocol, LIMITED);
		String large = "{\"x\":\"" + "x".repeat(10240) + "\"}";
		assertThat(post(this.http.headers(null), large).status()).isEqualTo(413);
		try (Socket socket = this.http.send("POST", "/mcp", headers("Content-Length", "99999999999"), new byte[0])) {
			assertThat(RawHttpClient.readStatus(socket)).isEqualTo(413);
		}
		Map<String, String> chunked = headers("Transfer-Encoding", "chunked");
		try (Socket socket = this.http.send("POST", "/mcp", chunked,
				("3000\r\n" + "x".repeat(0x3000)).getBytes(StandardCharsets.US_ASCII))) {
			assertThat(RawHttpClient.readStatus(socket)).isEqualTo(413);
		}
	}

	@Test
	void messageWithTooManyPartsIsRefused() throws Exception {
		start();
		String session = open("");
		String parts = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"x\":[{}"
				+ ",{}".repeat(200_000) + "]}}";
		assertThat(post(this.http.headers(session), parts).status()).isEqualTo(400);
		assertThat(ping("", session)).isEqualTo(200);
	}

	@Test
	void errorsHaveNoStackTrace() throws Exception {
		start();
		for (String body : List.of("{", "[]", "null", "{\"jsonrpc\":\"2.0\",\"id\":1}", PING, "\0",
				"{\"method\":{}}")) {
			RawHttpClient.Response response = post(this.http.headers(null), body);
			assertThat(response.status()).as(body).isEqualTo(400);
			assertThat(response.text()).as(body).contains("\"error\"").doesNotContain("stackTrace", "io.modelcontext");
		}
	}

	@Test
	void initializeWithLargeClientIsRefused() throws Exception {
		start();
		assertThat(post(this.http.headers(null), initialize("x".repeat(100_000))).status()).isEqualTo(400);
		String capabilities = initialize("x").replace("\"capabilities\":{}",
				"\"capabilities\":{\"experimental\":{\"" + "x".repeat(5000) + "\":{}}}");
		assertThat(post(this.http.headers(null), capabilities).status()).isEqualTo(400);
	}

	@Test
	void nameOfClientCannotForgeLogEntries(CapturedOutput output) throws Exception {
		start();
		String name = "\\r\\n2026-01-01 INFO forged\\u001b[2J\\u2028\\u202e" + "n".repeat(1000);
		assertThat(post(this.http.headers(null), initialize(name)).status()).isEqualTo(200);
		assertThat(output.getAll().lines()).noneMatch((line) -> line.startsWith("2026-01-01 INFO forged"));
		assertThat(output).contains("INFO forged").doesNotContain("\u001b[2J", "\u2028", "\u202e", "n".repeat(300));
	}

	@Test
	void unknownNotificationsAreNotLogged(CapturedOutput output) throws Exception {
		start();
		String session = open("");
		String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{\"x\":\"secret\"}}";
		assertThat(post(this.http.headers(session), notification.formatted("unknown")).status()).isEqualTo(202);
		assertThat(post(this.http.headers(session), notification.formatted("cancelled")).status()).isEqualTo(202);
		assertThat(post(this.http.headers(session), notification.formatted("\\r\\nforged")).status()).isEqualTo(400);
		assertThat(output).doesNotContain("secret", "forged");
	}

	@ParameterizedTest
	@ValueSource(strings = { "no/such/method", "" })
	void unknownMethodIsAnsweredAndItsResponseEnds(String method) throws Exception {
		start();
		String session = open("");
		RawHttpClient.Response response = post(this.http.headers(session), PING.replace("ping", method));
		assertThat(response.text()).contains("-32601");
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless", "sse" })
	void ordinaryClientIsServed(String protocol) {
		startWithProtocol(protocol);
		String url = "http://localhost:" + ((WebServerApplicationContext) this.context).getWebServer().getPort();
		McpClientTransport transport = protocol.equals("sse") ? HttpClientSseClientTransport.builder(url).build()
				: HttpClientStreamableHttpTransport.builder(url)
					.openConnectionOnStartup(protocol.equals("streamable"))
					.build();
		try (McpSyncClient client = McpClient.sync(transport).requestTimeout(Duration.ofSeconds(20)).build()) {
			client.initialize();
			for (int i = 0; i < 50; i++) {
				assertThat(client.listTools().tools()).isNotEmpty();
			}
		}
	}

	@Test
	void slowRequestsOfTenantDoNotLockOutOthers() throws Exception {
		start(LIMITED);
		String a = open("a");
		String b = open("b");
		Map<String, String> slow = ofTenant("a", a);
		slow.put("Content-Length", "1000");
		List<Socket> held = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			held.add(this.http.send("POST", "/mcp", slow, "{".getBytes(StandardCharsets.US_ASCII)));
		}
		await().until(() -> ping("a", a) == 429);
		assertThat(ping("b", b)).isEqualTo(200);
		for (Socket socket : held) {
			socket.close();
		}
		await().until(() -> ping("a", a) == 200);
	}

	@Test
	void callCanBeCancelledWhileAllRequestsAreTaken() throws Exception {
		start("--kairo.mcp.limits.requests=2", "--kairo.mcp.limits.requests-per-tenant=2");
		String session = open("");
		Map<String, String> slow = this.http.headers(session);
		slow.put("Content-Length", "1000");
		for (int i = 0; i < 2; i++) {
			this.http.send("POST", "/mcp", slow, "{".getBytes(StandardCharsets.US_ASCII));
		}
		await().until(() -> ping("", session) == 429);
		assertThat(post(this.http.headers(session), """
				{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}""").status())
			.isEqualTo(202);
		assertThat(ping("", session)).isEqualTo(429);
	}

	@Test
	void messageThatTheServerWouldReadDifferentlyIsRefused() throws Exception {
		start();
		String large = initialize("x".repeat(10_000));
		assertThat(post(this.http.headers(null), large + PING).status()).isEqualTo(400);
		assertThat(post(this.http.headers(null), large + "x").status()).isEqualTo(400);
		for (String charset : List.of("IBM037", "UTF-16")) {
			try (Socket socket = this.http.send("POST", "/mcp", withCharset(charset, large), large.getBytes(charset))) {
				assertThat(RawHttpClient.readStatus(socket)).as(charset).isEqualTo(415);
			}
		}
	}

	private Map<String, String> withCharset(String charset, String body) throws Exception {
		Map<String, String> headers = headers("Content-Type", "application/json; charset=" + charset);
		headers.put("Content-Length", String.valueOf(body.getBytes(charset).length));
		return headers;
	}

	@Test
	void tenantWithManySessionsLosesItsOwn() throws Exception {
		start("--kairo.mcp.limits.sessions-per-tenant=3", "--kairo.mcp.limits.sessions=5");
		String other = open("b");
		Map<String, Integer> status = new HashMap<>();
		List<String> sessions = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			sessions.add(open("a"));
		}
		for (String session : sessions) {
			status.merge(String.valueOf(ping("a", session)), 1, Integer::sum);
		}
		assertThat(status).containsOnly(Map.entry("404", 7), Map.entry("200", 3));
		assertThat(ping("b", other)).isEqualTo(200);
		open("c");
		open("c");
		assertThat(ping("b", other)).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void openingOfSessionsCountsAgainstTheRateLimit(String protocol) throws Exception {
		startWithProtocol(protocol);
		for (int expected : new int[] { 200, 200, 429 }) {
			assertThat(post(ofTenant("limited", null), initialize("test")).status()).isEqualTo(expected);
		}
		assertThat(post(ofTenant("b", null), initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "streamable, POST, /mcp", "streamable, GET, /mcp", "streamable, DELETE, /mcp", "stateless, POST, /mcp",
			"sse, GET, /sse", "sse, POST, /mcp/message?sessionId=x" })
	void callerWithoutTenantIsRefusedWithOneLineInTheLog(String protocol, String method, String path,
			CapturedOutput output) throws Exception {
		startWithProtocol(protocol);
		Map<String, String> headers = ofTenant("unknown", null);
		assertThat(this.http.exchange(method, path, headers, initialize("test")).status()).isEqualTo(401);
		headers.put("Test-Principal", "ann");
		RawHttpClient.Response refused = this.http.exchange(method, path, headers, initialize("test"));
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.text()).contains("No tenant").doesNotContain("belongs");
		assertThat(output.toString().lines().filter((line) -> line.contains("belongs to no tenant"))).hasSize(2)
			.allMatch((line) -> line.contains("WARN") && line.endsWith("belongs to no tenant\\u000aand more"));
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void unusedSessionEnds() throws Exception {
		start("--kairo.mcp.session-timeout=300ms");
		String session = open("");
		assertThat(ping("", session)).isEqualTo(200);
		await().pollDelay(Duration.ofMillis(400)).until(() -> ping("", session) == 404);
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		/**
		 * Reads the tenant from a header, in place of an authentication.
		 */
		@Bean
		TenantContextHolder tenants() {
			return new TenantContextHolder() {

				@Override
				public TenantContext current() {
					ServletRequestAttributes request = (ServletRequestAttributes) RequestContextHolder
						.getRequestAttributes();
					String tenant = (request != null) ? request.getRequest().getHeader("Test-Tenant") : null;
					if ("unknown".equals(tenant)) {
						throw new IllegalStateException("Ann belongs to no tenant\nand more");
					}
					return (tenant == null || tenant.isEmpty()) ? TenantContext.SINGLE
							: new TenantContext(tenant, tenant);
				}

				@Override
				public Scope bind(TenantContext context) {
					throw new UnsupportedOperationException();
				}

			};
		}

		/**
		 * Authenticates the principal that a header names.
		 */
		@Bean
		Filter authentication() {
			return (request, response, chain) -> {
				String name = ((HttpServletRequest) request).getHeader("Test-Principal");
				chain.doFilter((name == null) ? request : new HttpServletRequestWrapper((HttpServletRequest) request) {

					@Override
					public Principal getUserPrincipal() {
						return () -> name;
					}

				}, response);
			};
		}

	}

}

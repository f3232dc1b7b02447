package io.kairo.mcp;

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
import org.junit.jupiter.params.provider.EnumSource;

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
 * and against web pages of other sites, with Spring MVC and WebFlux, with and without
 * sessions.
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

	private Adapter adapter;

	private RawHttpClient http;

	private void start(Adapter adapter, String... arguments) {
		this.context = applications.get(new SpringApplication(adapter.application)::run, Stream
			.of(Stream.of("--server.port=0", "--server.address=127.0.0.1", "--server.shutdown=immediate",
					"--kairo.workspace.roots=" + directory, "--kairo.sandbox.type=none",
					"--kairo.tenancy.limits.limited.calls-per-minute=2"), adapter.properties(), Stream.of(arguments))
			.flatMap((each) -> each)
			.toArray(String[]::new));
		this.adapter = adapter;
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
		if (!tenant.isEmpty()) {
			headers.put(this.adapter.tenant, tenant);
		}
		return headers;
	}

	private String open(String tenant) throws Exception {
		return post(ofTenant(tenant, null), initialize("test")).header("Mcp-Session-Id");
	}

	private int ping(String tenant, String session) throws Exception {
		return post(ofTenant(tenant, session), PING).status();
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void requestForNameThatWasReboundToLoopbackIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		for (String method : List.of("POST", "GET")) {
			RawHttpClient.Response response = this.http.exchange(method, "/mcp", headers("Host", "evil.example"),
					initialize("test"));
			assertThat(response.status()).as(method).isEqualTo(403);
			assertThat(response.text()).contains("kairo.mcp.allowed-origins").doesNotContain("serverInfo");
		}
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void requestWithTwoHostsIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		assertThat(post(headers("host", "localhost"), initialize("test")).status()).isEqualTo(400);
		assertThat(this.http.exchange("POST", "http://evil.example/mcp", this.http.headers(null), initialize("test"))
			.status()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void pageOfOtherSiteIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		for (String origin : List.of("https://evil.example", "null", "http://localhost:1",
				"http://127.0.0.1.evil.example", "file://", "http://localhost:80@evil.example")) {
			assertThat(post(headers("Origin", origin), initialize("test")).status()).as(origin).isEqualTo(403);
		}
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void ownPageIsServed(Adapter adapter) throws Exception {
		start(adapter);
		String host = this.http.headers(null).get("Host");
		assertThat(post(headers("Origin", "http://" + host), initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void allowedOriginIsServedUnderItsHost(Adapter adapter) throws Exception {
		start(adapter, "--kairo.mcp.allowed-origins=https://agents.example.org");
		Map<String, String> headers = headers("Origin", "https://agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
		headers.put("Host", "Agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
		headers.put("Origin", "http://agents.example.org");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(403);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void everyOriginIsServedWithWildcard(Adapter adapter) throws Exception {
		start(adapter, "--kairo.mcp.allowed-origins=*");
		Map<String, String> headers = headers("Origin", "https://a.example");
		headers.put("Host", "b.example");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void messageThatPagesCanSendWithoutPermissionIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		for (String type : List.of("text/plain", "*/*", "application/*", "application/*+json",
				"application/json; charset=UTF-16")) {
			assertThat(post(headers("Content-Type", type), initialize("test")).status()).as(type).isEqualTo(415);
		}
		Map<String, String> untyped = this.http.headers(null);
		untyped.remove("Content-Type");
		assertThat(post(untyped, initialize("test")).status()).isEqualTo(415);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void messageAboveMaximumSizeIsRefused(Adapter adapter) throws Exception {
		start(adapter, LIMITED);
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

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void protocolVersionThatDoesNotExistIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		String session = open("");
		Map<String, String> headers = this.http.headers(session);
		for (String version : List.of("2025-03-26", "2025-11-25")) {
			headers.put("MCP-Protocol-Version", version);
			assertThat(post(headers, PING).status()).as(version).isEqualTo(200);
		}
		headers.put("MCP-Protocol-Version", "1999-01-01");
		RawHttpClient.Response refused = post(headers, PING);
		assertThat(refused.status()).isEqualTo(400);
		assertThat(refused.text()).contains("1999-01-01", "2025-11-25", "\"id\":1");
		assertThat(post(headers, initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void messageWithTooManyPartsIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		String session = open("");
		String parts = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"x\":[{}"
				+ ",{}".repeat(200_000) + "]}}";
		assertThat(post(this.http.headers(session), parts).status()).isEqualTo(400);
		assertThat(ping("", session)).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void errorsHaveNoStackTrace(Adapter adapter) throws Exception {
		start(adapter);
		for (String body : List.of("{", "[]", "null", "{\"jsonrpc\":\"2.0\",\"id\":1}", PING + PING, "\0",
				"{\"method\":{}}", adapter.stateless ? "x" : PING)) {
			RawHttpClient.Response response = post(this.http.headers(null), body);
			assertThat(response.status()).as(body).isEqualTo(400);
			assertThat(response.text()).as(body).contains("\"error\"").doesNotContain("stackTrace", "io.modelcontext");
		}
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void initializeWithLargeClientIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		assertThat(post(this.http.headers(null), initialize("x".repeat(100_000))).status()).isEqualTo(400);
		String capabilities = initialize("x").replace("\"capabilities\":{}",
				"\"capabilities\":{\"experimental\":{\"" + "x".repeat(5000) + "\":{}}}");
		assertThat(post(this.http.headers(null), capabilities).status()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void nameOfClientCannotForgeLogEntries(Adapter adapter, CapturedOutput output) throws Exception {
		start(adapter);
		String name = "\\r\\n2026-01-01 INFO forged\\u001b[2J\\u2028\\u202e" + "n".repeat(1000);
		assertThat(post(this.http.headers(null), initialize(name)).status()).isEqualTo(200);
		assertThat(output.getAll().lines()).noneMatch((line) -> line.startsWith("2026-01-01 INFO forged"));
		assertThat(output).contains("INFO forged").doesNotContain("\u001b[2J", "\u2028", "\u202e", "n".repeat(300));
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void unknownNotificationsAreNotLogged(Adapter adapter, CapturedOutput output) throws Exception {
		start(adapter);
		String session = open("");
		String notification = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/%s\",\"params\":{\"x\":\"secret\"}}";
		assertThat(post(this.http.headers(session), notification.formatted("unknown")).status()).isEqualTo(202);
		assertThat(post(this.http.headers(session), notification.formatted("cancelled")).status()).isEqualTo(202);
		assertThat(post(this.http.headers(session), notification.formatted("\\r\\nforged")).status()).isEqualTo(400);
		assertThat(output).doesNotContain("secret", "forged");
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void unknownMethodOrParametersAreAnsweredAndTheResponseEnds(Adapter adapter) throws Exception {
		start(adapter);
		Map<String, String> headers = this.http.headers(open(""));
		for (String method : List.of("no/such/method", "")) {
			assertThat(post(headers, PING.replace("ping", method)).text()).as(method).contains("-32601");
		}
		for (String method : List.of("tools/call", "resources/read")) {
			assertThat(post(headers, PING.replace("ping", method)).text()).as(method)
				.contains("-32602")
				.doesNotContain("stackTrace", "io.modelcontext");
		}
		for (String method : List.of("logging/setLevel", "prompts/get", "completion/complete")) {
			for (String parameters : List.of("", ",\"params\":null", ",\"params\":{}")) {
				String answer = post(headers, PING.replace("\"ping\"", "\"" + method + "\"" + parameters)).text();
				assertThat(answer).as(method)
					.contains("\"jsonrpc\"")
					.doesNotContain("Exception", "io.modelcontext", "java.");
			}
		}
		headers.put("Accept", "text/html");
		assertThat(post(headers, PING).status()).isEqualTo(400);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void changedRootsAreNotAskedFor(Adapter adapter) throws Exception {
		start(adapter);
		Map<String, String> headers = this.http.headers(open(""));
		String changed = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/roots/list_changed\"}";
		assertThat(post(headers, changed).status()).isEqualTo(202);
		assertThat(post(headers, PING).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void answerToUnknownRequestHasNoEffect(Adapter adapter) throws Exception {
		start(adapter);
		Map<String, String> headers = this.http.headers(open(""));
		assertThat(post(headers, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"result\":{}}").status()).isEqualTo(202);
		assertThat(post(headers, PING).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void idThatCouldForgeLogEntriesIsRefused(Adapter adapter) throws Exception {
		start(adapter);
		for (String id : List.of("\\n2026-01-01 ERROR forged", "\\u2028", "x".repeat(300))) {
			assertThat(post(this.http.headers(open("")), PING.replace(":1,", ":\"" + id + "\",")).status()).as(id)
				.isEqualTo(400);
		}
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void ordinaryClientIsServed(Adapter adapter) {
		start(adapter);
		String url = "http://localhost:" + ((WebServerApplicationContext) this.context).getWebServer().getPort();
		McpClientTransport transport = HttpClientStreamableHttpTransport.builder(url)
			.openConnectionOnStartup(!adapter.stateless)
			.build();
		try (McpSyncClient client = McpClient.sync(transport).requestTimeout(Duration.ofSeconds(20)).build()) {
			client.initialize();
			for (int i = 0; i < 50; i++) {
				assertThat(client.listTools().tools()).isNotEmpty();
			}
		}
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void slowRequestsOfTenantDoNotLockOutOthers(Adapter adapter) throws Exception {
		start(adapter, LIMITED);
		String a = open("a");
		String b = open("b");
		Map<String, String> slow = ofTenant("a", a);
		slow.put("Content-Length", "1000");
		List<Socket> held = new ArrayList<>();
		await().until(() -> {
			// a ping may have taken the place of one
			for (int i = 0; i < 3; i++) {
				held.add(this.http.send("POST", "/mcp", slow, "{".getBytes(StandardCharsets.US_ASCII)));
			}
			return ping("a", a) == 429;
		});
		assertThat(ping("b", b)).isEqualTo(200);
		for (Socket socket : held) {
			socket.close();
		}
		await().until(() -> ping("a", a) == 200);
	}

	@Test
	void callCanBeCancelledWhileAllRequestsAreTaken() throws Exception {
		start(Adapter.SERVLET, "--kairo.mcp.limits.requests=2", "--kairo.mcp.limits.requests-per-tenant=2");
		String session = open("");
		Map<String, String> slow = this.http.headers(session);
		slow.put("Content-Length", "1000");
		String cancel = """
				{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}""";
		await().atMost(Duration.ofSeconds(30)).until(() -> {
			if (ping("", session) == 429 && post(this.http.headers(session), cancel).status() == 202) {
				return ping("", session) == 429;
			}
			// while a ping is in progress, a slow request may get the place of
			// notifications
			this.http.close();
			for (int i = 0; i < 2; i++) {
				this.http.send("POST", "/mcp", slow, "{".getBytes(StandardCharsets.US_ASCII));
			}
			return false;
		});
	}

	@ParameterizedTest
	@EnumSource(Adapter.class)
	void messageThatTheServerWouldReadDifferentlyIsRefused(Adapter adapter) throws Exception {
		start(adapter);
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
		start(Adapter.SERVLET, "--kairo.mcp.limits.sessions-per-tenant=3", "--kairo.mcp.limits.sessions=5");
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
	@EnumSource(Adapter.class)
	void openingOfSessionsCountsAgainstTheRateLimit(Adapter adapter) throws Exception {
		start(adapter);
		for (int expected : new int[] { 200, 200, 429 }) {
			assertThat(post(ofTenant("limited", null), initialize("test")).status()).isEqualTo(expected);
		}
		assertThat(post(ofTenant("b", null), initialize("test")).status()).isEqualTo(200);
	}

	@ParameterizedTest
	@CsvSource({ "SERVLET, POST", "SERVLET, GET", "SERVLET, DELETE", "SERVLET_STATELESS, POST" })
	void callerWithoutTenantIsRefusedWithOneLineInTheLog(Adapter adapter, String method, CapturedOutput output)
			throws Exception {
		start(adapter);
		Map<String, String> headers = ofTenant("unknown", null);
		assertThat(this.http.exchange(method, "/mcp", headers, initialize("test")).status()).isEqualTo(401);
		headers.put("Test-Principal", "ann");
		RawHttpClient.Response refused = this.http.exchange(method, "/mcp", headers, initialize("test"));
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.text()).contains("No tenant").doesNotContain("belongs");
		assertThat(output.toString().lines().filter((line) -> line.contains("belongs to no tenant"))).hasSize(2)
			.allMatch((line) -> line.contains("WARN") && line.endsWith("belongs to no tenant\\u000aand more"));
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void unusedSessionEnds() throws Exception {
		start(Adapter.SERVLET, "--kairo.mcp.session-timeout=300ms");
		String session = open("");
		assertThat(ping("", session)).isEqualTo(200);
		await().pollDelay(Duration.ofMillis(400)).until(() -> ping("", session) == 404);
	}

	/**
	 * The servers that are attacked.
	 */
	enum Adapter {

		SERVLET(Application.class, false, "Test-Tenant"),

		SERVLET_STATELESS(Application.class, true, "Test-Tenant"),

		WEBFLUX(HostileWebFluxClientTests.Application.class, false, "Test-User"),

		WEBFLUX_STATELESS(HostileWebFluxClientTests.Application.class, true, "Test-User");

		private final Class<?> application;

		private final boolean stateless;

		/** The header that names the tenant. */
		private final String tenant;

		Adapter(Class<?> application, boolean stateless, String tenant) {
			this.application = application;
			this.stateless = stateless;
			this.tenant = tenant;
		}

		private Stream<String> properties() {
			String protocol = this.stateless ? "stateless" : "streamable";
			return (this.application == Application.class) ? Stream.of("--kairo.mcp.protocol=" + protocol)
					: WebFluxMcpServer.properties(protocol).map((property) -> "--" + property);
		}

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

package io.kairo.mcp;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.autoconfigure.tenancy.TenantResolver;
import io.kairo.governance.audit.AuditRecord;
import io.kairo.governance.audit.AuditSink;
import io.kairo.tools.ToolCatalog;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.common.McpTransportContext;
import io.modelcontextprotocol.server.McpAsyncServerExchange;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.AnonymousAuthenticationToken;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the bounds of a stateless MCP server of a reactive application against
 * clients that do not keep to the protocol, web pages of other sites, and other tenants.
 */
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
@ExtendWith(OutputCaptureExtension.class)
class HostileWebFluxClientTests {

	private static final String PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";

	private static final String[] LIMITED = { "kairo.mcp.max-request-size=10KB", "kairo.mcp.limits.requests=5",
			"kairo.mcp.limits.requests-per-tenant=3" };

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private ConfigurableApplicationContext context;

	private RawHttpClient http;

	private final Instant started = Instant.now();

	private void start(String... arguments) throws Exception {
		for (String tenant : List.of("a", "b", "default")) {
			SharedApplications.empty(directory.resolve("files").resolve(tenant));
		}
		this.context = applications.get(new SpringApplication(Application.class)::run,
				Stream
					.of(Stream.of("server.port=0", "server.address=127.0.0.1", "server.shutdown=immediate",
							"kairo.workspace.roots=" + directory.resolve("files") + "/{tenant}",
							"kairo.state-dir=" + directory.resolve("state"), "kairo.sandbox.type=process",
							"kairo.mcp.expose=*", "kairo.tenancy.limits.limited.calls-per-minute=2"),
							WebFluxMcpServer.properties("stateless"), Stream.of(arguments))
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
		this.http.close();
		Hooks.disableAutomaticContextPropagation();
	}

	private static String initialize(String name) {
		return """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"%s","version":"1"}}}""".formatted(name);
	}

	private static String call(String tool, String arguments) {
		return """
				{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"%s","arguments":%s}}""".formatted(tool,
				arguments);
	}

	private static String read(String uri) {
		return "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{\"uri\":\"" + uri + "\"}}";
	}

	private RawHttpClient.Response post(Map<String, String> headers, String body) throws Exception {
		return this.http.exchange("POST", "/mcp", headers, body);
	}

	private Map<String, String> headers(String name, String value) {
		Map<String, String> headers = this.http.headers(null);
		headers.put(name, value);
		return headers;
	}

	private Map<String, String> of(String user) {
		return headers("Test-User", user);
	}

	private int ping(String user) throws Exception {
		return post(of(user), PING).status();
	}

	/**
	 * Returns the records of the test.
	 */
	private List<AuditRecord> records() {
		return this.context.getBean(Records.class)
			.records()
			.stream()
			.filter((record) -> !record.time().isBefore(this.started))
			.toList();
	}

	@Test
	void largeMessageAndLargeAnswerAreServed() throws Exception {
		start();
		String content = "x".repeat(3_000_000);
		assertThat(post(of("a"), call("Write", "{\"file_path\":\"a.txt\",\"content\":\"" + content + "\"}")).status())
			.isEqualTo(200);
		assertThat(directory.resolve("files/a/a.txt")).hasContent(content);
		assertThat(post(of("a"), read("kairo://workspace/a.txt")).text().contains(content)).isTrue();
	}

	@Test
	void longCallsOfTenantDoNotLockOutOthers() throws Exception {
		start(LIMITED);
		String sleep = call("Bash", "{\"command\":\"sleep 300\"}");
		Map<String, String> headers = of("a");
		headers.put("Content-Length", String.valueOf(sleep.length()));
		await().until(() -> {
			// a ping may have taken the place of one
			for (int i = 0; i < 3; i++) {
				this.http.send("POST", "/mcp", headers, sleep.getBytes(StandardCharsets.UTF_8));
			}
			return ping("a") == 429;
		});
		assertThat(post(of("b"), call("Bash", "{\"command\":\"echo served\"}")).text()).contains("served");
		this.http.close();
		await().atMost(Duration.ofSeconds(20)).until(() -> ping("a") == 200);
	}

	@Test
	void clientThatIsGoneEndsItsCommand() throws Exception {
		start();
		String body = call("Bash", "{\"command\":\"touch started; exec sleep 300\"}");
		Map<String, String> headers = of("a");
		headers.put("Content-Length", String.valueOf(body.length()));
		try (Socket socket = this.http.send("POST", "/mcp", headers, body.getBytes(StandardCharsets.UTF_8))) {
			await().atMost(Duration.ofSeconds(20)).until(() -> Files.exists(directory.resolve("files/a/started")));
		}
		await().atMost(Duration.ofSeconds(20))
			.until(() -> records().stream()
				.anyMatch((record) -> record.event() == AuditRecord.Event.CALL_ENDED
						&& "cancelled".equals(record.code())));
	}

	@Test
	void tenantsAreSeparate() throws Exception {
		start();
		post(of("a"), call("Write", "{\"file_path\":\"a.txt\",\"content\":\"secret\"}"));
		assertThat(directory.resolve("files/a/a.txt")).hasContent("secret");
		assertThat(post(of("a"), read("kairo://workspace/a.txt")).text()).contains("secret");
		assertThat(post(of("a"), PING.replace("ping", "resources/list")).text()).contains("a.txt");
		assertThat(post(of("b"), call("Read", "{\"file_path\":\"a.txt\"}")).text()).contains("file_not_found");
		assertThat(post(of("b"), call("Read", "{\"file_path\":\"../a/a.txt\"}")).text()).doesNotContain("secret");
		assertThat(post(of("b"), read("kairo://workspace/a.txt")).text()).doesNotContain("secret");
		assertThat(post(of("b"), PING.replace("ping", "resources/list")).text()).doesNotContain("a.txt");
	}

	/**
	 * The principal can be in the Reactor context, or belong to the request alone. It is
	 * never the default tenant, which exists here.
	 */
	@Test
	void authenticatedCallerIsNeverTheDefaultTenant() throws Exception {
		start("kairo.tenancy.required=false", "spring.reactor.context-propagation=auto");
		for (String way : List.of("Test-User", "Test-Principal", "Test-Authentication")) {
			for (String name : List.of("a", "b")) {
				assertThat(post(headers(way, name), call("Bash", "{\"command\":\"pwd\"}")).text()).as(way)
					.contains("/files/" + name);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "Test-Nobody", "Test-Anonymous" })
	void callerWithoutTenantIsRefused(String way) throws Exception {
		start();
		for (String body : List.of(call("Write", "{\"file_path\":\"a.txt\",\"content\":\"x\"}"),
				read("kairo://workspace/a.txt"), PING.replace("ping", "resources/list"))) {
			assertThat(post(headers(way, "a"), body).text()).as(body).contains("No tenant could be determined");
		}
		assertThat(directory.resolve("files/a/a.txt")).doesNotExist();
		assertThat(records()).filteredOn((record) -> record.event() == AuditRecord.Event.CALL_REFUSED)
			.isNotEmpty()
			.allMatch((record) -> "tenant_required".equals(record.code()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "POST", "GET" })
	void callerOfNoTenantIsRefusedWithOneLineInTheLog(String method, CapturedOutput output) throws Exception {
		start();
		RawHttpClient.Response refused = this.http.exchange(method, "/mcp", of("unknown"), initialize("test"));
		assertThat(refused.status()).isEqualTo(403);
		assertThat(refused.text()).contains("No tenant").doesNotContain("belongs");
		assertThat(output.toString().lines().filter((line) -> line.contains("belongs to no tenant"))).singleElement()
			.asString()
			.contains("WARN")
			.endsWith("belongs to no tenant\\u000aand more");
		assertThat(output).doesNotContain("\tat ");
	}

	@Test
	void callThatBypassesTheGuardIsRefused() throws Exception {
		start();
		CallToolResult result = this.context.getBean(McpTools.class)
			.specification(this.context.getBean(ToolCatalog.class).definitions().get(1))
			.callHandler()
			.apply(new McpSyncServerExchange(
					new McpAsyncServerExchange("", null, null, null, McpTransportContext.EMPTY)),
					McpSchema.CallToolRequest.builder("Write")
						.arguments(Map.of("file_path", "a.txt", "content", "x"))
						.build());
		assertThat(result.isError()).isTrue();
		assertThat(result.content().toString()).contains("tenant_required");
	}

	@Test
	void ordinaryClientIsServed() throws Exception {
		start();
		try (McpSyncClient client = McpClient
			.sync(HttpClientStreamableHttpTransport.builder("http://localhost:" + port())
				.httpRequestCustomizer(
						(request, method, endpoint, body, attributes) -> request.header("Test-User", "a"))
				.build())
			.requestTimeout(Duration.ofSeconds(20))
			.build()) {
			client.initialize();
			for (int i = 0; i < 50; i++) {
				assertThat(client.listTools().tools()).isNotEmpty();
			}
			assertThat(client.listResourceTemplates().resourceTemplates()).hasSize(1);
		}
	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		/**
		 * Authenticates the caller that a header names.
		 */
		@Bean
		WebFilter authentication() {
			return Application::authenticate;
		}

		private static Mono<Void> authenticate(ServerWebExchange exchange, WebFilterChain chain) {
			String principal = exchange.getRequest().getHeaders().getFirst("Test-Principal");
			String authentication = exchange.getRequest().getHeaders().getFirst("Test-Authentication");
			String user = exchange.getRequest().getHeaders().getFirst("Test-User");
			if (principal != null) {
				return chain.filter(withPrincipal(exchange, () -> principal));
			}
			if (authentication != null) {
				return chain.filter(withPrincipal(exchange, authenticated(authentication)));
			}
			if (exchange.getRequest().getHeaders().containsHeader("Test-Anonymous")) {
				return chain.filter(withPrincipal(exchange, new AnonymousAuthenticationToken("key", "anonymousUser",
						AuthorityUtils.createAuthorityList("ANONYMOUS"))));
			}
			return (user == null) ? chain.filter(exchange) : chain.filter(withPrincipal(exchange, authenticated(user)))
				.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authenticated(user)));
		}

		private static Authentication authenticated(String name) {
			return new TestingAuthenticationToken(name, "", "USER");
		}

		private static ServerWebExchange withPrincipal(ServerWebExchange exchange, Principal principal) {
			return exchange.mutate().principal(Mono.just(principal)).build();
		}

		@Bean
		TenantResolver tenantResolver() {
			return (principal) -> {
				if (principal.getName().equals("unknown")) {
					throw new IllegalStateException("Ann belongs to no tenant\nand more");
				}
				return new TenantContext(principal.getName(), principal.getName());
			};
		}

		@Bean
		Records records() {
			return new Records();
		}

	}

	static final class Records implements AuditSink {

		private final Set<AuditRecord> records = new CopyOnWriteArraySet<>();

		Set<AuditRecord> records() {
			return this.records;
		}

		@Override
		public String name() {
			return "test";
		}

		@Override
		public void append(List<AuditRecord> added) {
			this.records.addAll(added);
		}

	}

}

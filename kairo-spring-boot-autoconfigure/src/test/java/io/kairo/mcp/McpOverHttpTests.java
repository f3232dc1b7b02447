package io.kairo.mcp;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.tools.ToolInterceptor;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.customizer.McpSyncServerCustomizer;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Primary;
import org.springframework.context.annotation.Profile;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the MCP server of an application over streamable HTTP.
 */
@Timeout(60)
class McpOverHttpTests {

	private static final String INITIALIZE = """
			{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},\
			"clientInfo":{"name":"test","version":"1"}}}""";

	private static final String CALL = """
			{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"Bash",\
			"arguments":{"command":"touch started; exec sleep 300"}}}""";

	private static final String CANCELLED = """
			{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%s,"reason":"changed my mind"}}""";

	private final HttpClient http = HttpClient.newHttpClient();

	@RegisterExtension
	private static final SharedApplications<ConfigurableApplicationContext> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private ConfigurableApplicationContext context;

	@BeforeEach
	void startWithEveryTool() throws Exception {
		SharedApplications.empty(directory);
		start("--kairo.mcp.expose=*");
	}

	private void start(String... arguments) {
		this.context = applications.get(new SpringApplication(Application.class)::run,
				Stream.concat(Stream.of("--server.port=0", "--server.address=127.0.0.1", "--server.shutdown=immediate",
						"--spring.ai.mcp.server.protocol=streamable", "--kairo.workspace.roots=" + directory,
						"--kairo.sandbox.type=process"), Stream.of(arguments))
					.toArray(String[]::new));
	}

	@Test
	void eachToolIsOfferedOnce() {
		try (McpSyncClient client = client(List.of())) {
			assertThat(client.listTools().tools()).extracting(Tool::name)
				.contains("Read", "Bash")
				.doesNotHaveDuplicates();
		}
	}

	@Test
	void unexposedToolIsNotOfferedAsCallback() {
		start("--kairo.mcp.expose=Read");
		assertThat(this.context.getBean(ToolCallbackProvider.class).getToolCallbacks()).hasSizeGreaterThan(1);
		try (McpSyncClient client = client(List.of())) {
			assertThat(client.listTools().tools()).extracting(Tool::name).containsExactly("Read");
		}
	}

	@Test
	void aliasOfParameterIsAccepted() throws IOException {
		Files.writeString(directory.resolve("a.txt"), "content\n");
		try (McpSyncClient client = client(List.of())) {
			CallToolResult result = client
				.callTool(CallToolRequest.builder("Read").arguments(Map.of("path", "a.txt")).build());
			assertThat(text(result)).startsWith("     1\tcontent\n");
		}
	}

	@Test
	void imagesAndDocumentsHaveTheirContentTypes() throws IOException {
		byte[] png = { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 1, 2 };
		Files.write(directory.resolve("a.png"), png);
		Files.writeString(directory.resolve("ä b.pdf"), "%PDF-1.7\n");
		try (McpSyncClient client = client(List.of())) {
			CallToolResult image = client
				.callTool(CallToolRequest.builder("Read").arguments(Map.of("file_path", "a.png")).build());
			assertThat(image.isError()).isFalse();
			assertThat(image.content()).hasSize(2);
			assertThat(image.structuredContent()).isNull();
			ImageContent content = (ImageContent) image.content().get(1);
			assertThat(content.mimeType()).isEqualTo("image/png");
			assertThat(Base64.getDecoder().decode(content.data())).isEqualTo(png);
			CallToolResult document = client
				.callTool(CallToolRequest.builder("Read").arguments(Map.of("file_path", "ä b.pdf")).build());
			BlobResourceContents blob = (BlobResourceContents) ((EmbeddedResource) document.content().get(1))
				.resource();
			assertThat(blob.uri()).isEqualTo("kairo://workspace/%C3%A4%20b.pdf");
			assertThat(client.readResource(ReadResourceRequest.builder(blob.uri()).build()).contents())
				.containsExactly(blob);
			assertThat(blob.mimeType()).isEqualTo("application/pdf");
			assertThat(Base64.getDecoder().decode(blob.blob())).asString().isEqualTo("%PDF-1.7\n");
		}
	}

	@Test
	void unknownParameterIsRejectedByTheCatalog() {
		try (McpSyncClient client = client(List.of())) {
			CallToolResult result = client
				.callTool(CallToolRequest.builder("Read").arguments(Map.of("colour", "red")).build());
			assertThat(result.isError()).isTrue();
			assertThat(text(result)).contains("colour", "file_path, offset, limit");
		}
	}

	@Test
	void progressIsSentToClientThatRequestsIt() {
		List<ProgressNotification> progress = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = client(progress)) {
			CallToolResult result = client.callTool(CallToolRequest.builder("Bash")
				.arguments(Map.of("command", "for i in 1 2 3 4; do echo $i; sleep 0.7; done"))
				.meta(Map.of("progressToken", "t1"))
				.build());
			assertThat(text(result)).startsWith("1\n2\n3\n4");
		}
		Awaitility.await().untilAsserted(() -> assertThat(progress).isNotEmpty().allSatisfy((notification) -> {
			assertThat(notification.progressToken()).isEqualTo("t1");
			assertThat(notification.message()).contains("bytes of output\n").matches("(?s)[0-9]+ s, .*\n[1-4]\n.*");
		}));
		assertThat(progress).extracting(ProgressNotification::progress).isSorted().doesNotHaveDuplicates();
	}

	@Test
	void progressIsSentWhileCallWaitsForCommandInBackground() {
		List<ProgressNotification> progress = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = client(progress)) {
			CallToolResult begun = client.callTool(CallToolRequest.builder("Bash")
				.arguments(Map.of("command", "for i in 1 2 3; do echo $i; sleep 0.7; done", "run_in_background", true))
				.build());
			String id = text(begun).replaceFirst("(?s)Started in the background as (\\w+)\\..*", "$1");
			CallToolResult result = client.callTool(CallToolRequest.builder("BashOutput")
				.arguments(Map.of("bash_id", id, "timeout", 60_000))
				.meta(Map.of("progressToken", "t2"))
				.build());
			assertThat(text(result)).startsWith("1\n2\n3\n").contains("exit code 0");
		}
		Awaitility.await().untilAsserted(() -> assertThat(progress).isNotEmpty().allSatisfy((notification) -> {
			assertThat(notification.progressToken()).isEqualTo("t2");
			assertThat(notification.message()).contains("bytes of output");
		}));
	}

	@ParameterizedTest
	@CsvSource({ "none, false, false", "data, true, false", "all, true, true" })
	void structuredContentIsSentByToolsOfProperty(String tools, boolean ofData, boolean ofText) {
		start("--kairo.mcp.expose=*", "--kairo.tools.naming=snake_case", "--kairo.mcp.structured-content=" + tools);
		try (McpSyncClient client = client(List.of())) {
			Set<String> dataTools = Set.of("read_file", "write_file", "list_files", "get_workspace_info");
			assertThat(client.listTools().tools()).allSatisfy((tool) -> {
				if (dataTools.contains(tool.name()) ? ofData : ofText) {
					assertThat(tool.outputSchema()).containsEntry("type", "object").containsKeys("properties", "anyOf");
				}
				else {
					assertThat(tool.outputSchema()).isNull();
				}
			});
			CallToolResult failed = client.callTool(
					CallToolRequest.builder("run_command").arguments(Map.of("command", "echo no >&2; exit 3")).build());
			assertThat(text(failed)).isEqualTo("no\n(exit code 3)");
			Map<?, ?> content = (Map<?, ?>) failed.structuredContent();
			assertThat(content != null).isEqualTo(ofText);
			if (content != null) {
				assertThat(content.get("exitCode")).isEqualTo(3);
				assertThat(content.get("text")).isEqualTo(text(failed));
			}
			CallToolResult missing = client
				.callTool(CallToolRequest.builder("read_file").arguments(Map.of("path", "absent")).build());
			assertThat(JsonMapper.shared().readValue(text(missing), Map.class)).extractingByKey("message")
				.asString()
				.endsWith("\nCheck the path.");
			assertThat(missing.structuredContent() != null).isEqualTo(ofData);
		}
	}

	@Test
	void progressIsNotSentWithoutRequest() {
		List<ProgressNotification> progress = new CopyOnWriteArrayList<>();
		try (McpSyncClient client = client(progress)) {
			client.callTool(CallToolRequest.builder("Bash")
				.arguments(Map.of("command", "for i in 1 2; do sleep 0.7; echo $i; done"))
				.build());
		}
		assertThat(progress).isEmpty();
	}

	@Test
	void toolIsCalledOnRequestThreadDespiteCustomizerOfTheApplication() {
		start("--spring.profiles.active=customized");
		try (McpSyncClient client = client(List.of())) {
			client.callTool(CallToolRequest.builder("List").arguments(Map.of()).build());
			assertThat(client.getServerInstructions()).isEqualTo("Be brief");
		}
		assertThat(this.context.getBean(Customized.class).threads).singleElement().asString().startsWith("http-nio");
	}

	@Test
	void cancellationOfCallEndsItsCommand() throws Exception {
		String session = initialize();
		CompletableFuture<HttpResponse<String>> call = callThatHasStarted(session, "7");
		assertThat(post(session, CANCELLED.formatted("7")).statusCode()).isEqualTo(202);
		assertThat(call.join().body()).contains("cancelled");
	}

	@Test
	void cancellationOfOtherRequestOrSessionHasNoEffect() throws Exception {
		String session = initialize();
		CompletableFuture<HttpResponse<String>> call = callThatHasStarted(session, "7");
		post(session, CANCELLED.formatted("8"));
		post(session, CANCELLED.formatted("\"7\""));
		post(initialize(), CANCELLED.formatted("7"));
		post(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{}}");
		Awaitility.await().during(Duration.ofMillis(300)).until(() -> !call.isDone());
		post(session, CANCELLED.formatted("7"));
		assertThat(call.join().body()).contains("cancelled");
	}

	@Test
	void endOfSessionCancelsItsCommands() throws Exception {
		String session = initialize();
		CompletableFuture<HttpResponse<String>> call = callThatHasStarted(session, "\"x\"");
		HttpResponse<String> deleted = this.http.send(request(session).DELETE().build(), BodyHandlers.ofString());
		assertThat(deleted.statusCode()).isBetween(200, 299);
		assertThat(call).succeedsWithin(Duration.ofSeconds(20));
	}

	@Test
	void sessionIsNotFoundForOtherCaller() throws Exception {
		start("--spring.profiles.active=customized");
		AtomicReference<TenantContext> caller = this.context.getBean(FixedTenant.class).tenant();
		caller.set(TenantContext.SINGLE);
		String session = initialize();
		String ping = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}";
		caller.set(new TenantContext("other", TenantContext.SINGLE.principalId()));
		assertThat(post(session, ping).statusCode()).isEqualTo(404);
		caller.set(new TenantContext(TenantContext.SINGLE.tenantId(), "bob"));
		assertThat(post(session, ping).statusCode()).isEqualTo(404);
		for (String method : List.of("GET", "DELETE")) {
			HttpRequest stolen = request(session).method(method, BodyPublishers.noBody()).build();
			assertThat(this.http.send(stolen, BodyHandlers.ofString()).statusCode()).as(method).isEqualTo(404);
		}
		caller.set(TenantContext.SINGLE);
		assertThat(post(session, ping).statusCode()).isEqualTo(200);
	}

	@Test
	void sessionIsFoundForOwnerWithOtherAttributes() throws Exception {
		start("--spring.profiles.active=customized");
		AtomicReference<TenantContext> caller = this.context.getBean(FixedTenant.class).tenant();
		caller.set(new TenantContext("default", "ann", Map.of("request", "1")));
		String session = initialize();
		caller.set(new TenantContext("default", "ann", Map.of("request", "2")));
		assertThat(post(session, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}").statusCode()).isEqualTo(200);
		HttpRequest ended = request(session).DELETE().build();
		assertThat(this.http.send(ended, BodyHandlers.ofString()).statusCode()).isBetween(200, 299);
	}

	private CompletableFuture<HttpResponse<String>> callThatHasStarted(String session, String id) {
		CompletableFuture<HttpResponse<String>> call = this.http.sendAsync(
				request(session).POST(BodyPublishers.ofString(CALL.formatted(id))).build(), BodyHandlers.ofString());
		Awaitility.await().untilAsserted(() -> assertThat(directory.resolve("started")).exists());
		return call;
	}

	private String initialize() throws Exception {
		HttpResponse<String> response = post(null, INITIALIZE);
		String session = response.headers().firstValue("Mcp-Session-Id").orElseThrow();
		post(session, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}");
		return session;
	}

	private HttpResponse<String> post(String session, String message) throws Exception {
		return this.http.send(request(session).POST(BodyPublishers.ofString(message)).build(), BodyHandlers.ofString());
	}

	private HttpRequest.Builder request(String session) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url() + "/mcp"))
			.header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream");
		return (session != null) ? request.header("Mcp-Session-Id", session) : request;
	}

	private String url() {
		int port = ((WebServerApplicationContext) this.context).getWebServer().getPort();
		return "http://127.0.0.1:" + port;
	}

	private McpSyncClient client(List<ProgressNotification> progress) {
		McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder(url()).build())
			.progressConsumer(progress::add)
			.requestTimeout(Duration.ofSeconds(30))
			.build();
		client.initialize();
		return client;
	}

	private static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	private record FixedTenant(AtomicReference<TenantContext> tenant) implements TenantContextHolder {

		@Override
		public TenantContext current() {
			return this.tenant.get();
		}

		@Override
		public Scope bind(TenantContext context) {
			throw new UnsupportedOperationException();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	@Import(Customized.class)
	static class Application {

	}

	@Configuration(proxyBeanMethods = false)
	@Profile("customized")
	static class Customized {

		private final List<String> threads = new CopyOnWriteArrayList<>();

		@Bean
		FixedTenant tenants() {
			return new FixedTenant(new AtomicReference<>(TenantContext.SINGLE));
		}

		@Bean
		@Primary
		McpSyncServerCustomizer own() {
			return (server) -> server.instructions("Be brief");
		}

		@Bean
		ToolInterceptor interceptor() {
			return (call, tool, chain) -> {
				this.threads.add(Thread.currentThread().getName());
				return chain.proceed(call, tool);
			};
		}

	}

}

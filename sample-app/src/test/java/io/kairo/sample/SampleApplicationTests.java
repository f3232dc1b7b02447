package io.kairo.sample;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static io.kairo.sample.AgentClient.text;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Drives the running application with a real MCP client, over this repository.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT, properties = "kairo.workspace.roots=..")
@Timeout(120)
class SampleApplicationTests {

	@LocalServerPort
	private int port;

	private AgentClient client;

	@BeforeEach
	void connect() {
		this.client = AgentClient.connect(this.port);
	}

	@AfterEach
	void disconnect() {
		this.client.close();
	}

	@Nested
	class Tools {

		@Test
		void toolsAreListedWithSchemasAndAnnotations() {
			List<Tool> tools = SampleApplicationTests.this.client.mcp().listTools().tools();
			assertThat(tools).extracting(Tool::name)
				.containsExactlyInAnyOrder("Read", "Write", "Edit", "MultiEdit", "ApplyPatch", "List", "Info", "Glob",
						"Grep", "Move", "Copy", "Delete", "Undelete", "Checkpoint", "Changes", "Rewind", "Trial",
						"Bash", "BashOutput", "BashInput", "KillBash", "BashList");
			Tool read = tools.stream().filter((tool) -> tool.name().equals("Read")).findFirst().orElseThrow();
			assertThat(read.inputSchema()).containsEntry("type", "object")
				.containsEntry("required", List.of("file_path"));
			assertThat(read.inputSchema()).extractingByKey("properties", InstanceOfAssertFactories.MAP)
				.containsOnlyKeys("file_path", "offset", "limit", "column");
			assertThat(read.annotations().readOnlyHint()).isTrue();
			Tool bash = tools.stream().filter((tool) -> tool.name().equals("Bash")).findFirst().orElseThrow();
			assertThat(bash.annotations().destructiveHint()).isTrue();
		}

		@Test
		void readReturnsReadmeOfThisRepository() throws IOException {
			CallToolResult result = call("Read", Map.of("file_path", "README.md"));
			assertThat(result.isError()).isFalse();
			String firstLine = Files.readAllLines(Path.of("..", "README.md")).get(0);
			assertThat(text(result)).startsWith("     1\t" + firstLine + "\n");
			assertThat(result.structuredContent()).isNull();
		}

		@Test
		void bashListsRepository() {
			CallToolResult result = call("Bash", Map.of("command", "ls"));
			assertThat(text(result).lines()).contains("README.md", "pom.xml", "sample-app");
			assertThat(text(result)).doesNotContain("exit code");
		}

		@Test
		void readRejectsFileOutsideTheWorkspace() {
			CallToolResult result = call("Read", Map.of("file_path", "/etc/passwd"));
			assertThat(result.isError()).isTrue();
			assertThat(text(result)).startsWith("path_traversal_blocked").doesNotContain("root:");
		}

		@Test
		void bashEndsCommandAfterTimeout() {
			long start = System.nanoTime();
			CallToolResult result = call("Bash", Map.of("command", "echo early; sleep 30", "timeout", 1000));
			assertThat(text(result)).startsWith("early\n(").contains("timed out after 1,000 ms");
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(10));
		}

		@Test
		void workingDirectoryIsSharedWithinSessionOnly() {
			call("Bash", Map.of("command", "cd sample-app"));
			assertThat(text(call("Read", Map.of("file_path", "pom.xml")))).contains("<name>Kairo Sample</name>");
			try (AgentClient other = AgentClient.connect(SampleApplicationTests.this.port)) {
				CallToolResult result = other.call("Read", Map.of("file_path", "pom.xml"));
				assertThat(text(result)).contains("<name>Kairo</name>").doesNotContain("<name>Kairo Sample</name>");
			}
		}

	}

	@Nested
	class Actuator {

		@Test
		void healthReportsWorkspaceAndSandbox() throws Exception {
			assertThat(get("/actuator/health")).contains("\"kairoWorkspace\"", "\"kairoSandbox\"",
					"\"backend\":\"process\"");
		}

		@Test
		void callsAndCommandsAreMeteredByTenant() throws Exception {
			call("Bash", Map.of("command", "true"));
			assertThat(get("/actuator/metrics/kairo.tool.calls")).contains("\"tenant\"", "\"default\"");
			assertThat(get("/actuator/metrics/kairo.sandbox.executions")).contains("\"backend\"", "\"process\"");
			assertThat(get("/actuator/prometheus"))
				.containsPattern("kairo_tool_calls_seconds_count\\{[^}]*tenant=\"default\"");
		}

	}

	@Nested
	class Strangers {

		@ParameterizedTest
		@CsvSource({ "evil.example, ''", "evil.example:80, ''", "127.0.0.1, http://evil.example", "127.0.0.1, null",
				"localhost:8080, http://localhost:9999" })
		void requestsOfForeignPagesAreRejected(String host, String origin) throws Exception {
			assertThat(status(host, origin)).contains(" 403 ");
		}

		@ParameterizedTest
		@CsvSource({ "127.0.0.1, ''", "LOCALHOST, ''", "localhost:8080, http://localhost:8080", "[::1], ''" })
		void requestsOfThisMachineAreAccepted(String host, String origin) throws Exception {
			assertThat(status(host, origin)).contains(" 200 ");
		}

		private String status(String host, String origin) throws IOException {
			String request = "GET /actuator/health HTTP/1.1\r\nHost: " + host
					+ (origin.isEmpty() ? "" : "\r\nOrigin: " + origin) + "\r\nConnection: close\r\n\r\n";
			try (Socket socket = new Socket("127.0.0.1", SampleApplicationTests.this.port)) {
				socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
				return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines()
					.findFirst()
					.orElseThrow();
			}
		}

	}

	@Test
	void startPageDescribesServerAndConnection() throws Exception {
		assertThat(get("/")).contains("Kairo", "/mcp", "actuator/health");
	}

	private CallToolResult call(String tool, Map<String, Object> arguments) {
		return this.client.call(tool, arguments);
	}

	private String get(String path) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path)).build();
		HttpResponse<String> response = HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString());
		assertThat(response.statusCode()).isEqualTo(200);
		return response.body();
	}

}

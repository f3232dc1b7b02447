package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.tenant.TenantContextHolder;
import io.kairo.autoconfigure.AutoConfigureApplication;
import io.kairo.autoconfigure.SharedApplications;
import io.kairo.workspace.task.AgentTree;
import io.modelcontextprotocol.client.McpClient;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the task tools with a client over streamable HTTP, including the exact
 * results and errors.
 */
@Timeout(60)
class McpTaskToolsTests {

	@TempDir
	private static Path directory;

	private static ConfigurableApplicationContext context;

	@BeforeAll
	static void start() throws IOException {
		Path data = Files.createDirectory(directory.resolve("data"));
		context = new SpringApplication(Application.class).run("--server.port=0", "--server.address=127.0.0.1",
				"--server.shutdown=immediate", "--spring.ai.mcp.server.protocol=streamable",
				"--kairo.workspace.provider=task", "--kairo.workspace.task.data-dir=" + data,
				"--kairo.state-dir=" + directory.resolve("state"), "--kairo.tools.naming=snake_case",
				"--kairo.mcp.expose=*", "--kairo.sandbox.type=process");
		AgentTree tree = context.getBean(AgentTree.class);
		tree.register("task-1", "root");
		tree.register("agent-1", "task-1");
		tree.register("task-2", "root");
	}

	@AfterAll
	static void stop() {
		context.close();
	}

	@BeforeEach
	void deleteFiles() throws IOException {
		SharedApplications.empty(directory.resolve("data"));
	}

	@Test
	void taskToolsHaveDocumentedNamesAndParameters() {
		try (McpSyncClient client = client("agent-1")) {
			List<Tool> tools = client.listTools().tools();
			assertThat(tools).extracting(Tool::name)
				.contains("write_file", "read_file", "list_files", "get_workspace_info")
				.doesNotContain("Write", "Read", "List", "Info");
			assertThat(required(tools, "write_file")).containsExactlyInAnyOrder("path", "content");
			assertThat(required(tools, "read_file")).containsExactly("path");
			assertThat(required(tools, "list_files")).isEmpty();
			assertThat(required(tools, "get_workspace_info")).isEmpty();
		}
	}

	@Test
	void taskToolsReturnOnlyDocumentedData() {
		try (McpSyncClient client = client("agent-1"); McpSyncClient parent = client("task-1")) {
			assertThat(data(client, "list_files", Map.of())).isEqualTo(Map.of("files", List.of()));
			assertThat(data(client, "get_workspace_info", Map.of())).isEqualTo(
					Map.of("fileCount", 0, "dirCount", 0, "totalSize", 0, "lastModified", "1970-01-01T00:00:00Z"));
			assertThat(directory.resolve("data")).isEmptyDirectory();
			assertThat(data(client, "write_file", Map.of("path", "src/a.txt", "content", "héllo")))
				.isEqualTo(Map.of("ok", true));
			assertThat(data(parent, "read_file", Map.of("path", "src/a.txt"))).isEqualTo(Map.of("content", "héllo"));
			assertThat(data(parent, "list_files", Map.of()))
				.isEqualTo(Map.of("files", List.of(Map.of("name", "src", "type", "directory", "size", 0))));
			assertThat(data(parent, "list_files", Map.of("path", "src")))
				.isEqualTo(Map.of("files", List.of(Map.of("name", "a.txt", "type", "file", "size", 6))));
			assertThat(data(parent, "get_workspace_info", Map.of())).containsEntry("fileCount", 1)
				.containsEntry("dirCount", 1)
				.containsEntry("totalSize", 6)
				.containsOnlyKeys("fileCount", "dirCount", "totalSize", "lastModified");
		}
		assertThat(directory.resolve("data/workspaces/task-1/src/a.txt")).hasContent("héllo");
	}

	@Test
	void taskToolsUseFilesOfTheirTask() {
		try (McpSyncClient one = client("task-1"); McpSyncClient two = client("task-2")) {
			data(one, "write_file", Map.of("path", "a", "content", "one"));
			assertThat(error(two, "read_file", Map.of("path", "a"))).isEqualTo("file_not_found");
		}
	}

	@ParameterizedTest
	@CsvSource({ "agent-1, missing, file_not_found", "agent-1, ../task-2/a, path_traversal_blocked",
			"agent-1, a/../b, path_traversal_blocked", "agent-1, /etc/passwd, path_traversal_blocked",
			"nobody, a, workspace_not_assigned", "root, a, workspace_not_assigned", ", a, workspace_not_assigned" })
	void taskToolsReturnErrorCodeForInvalidPathOrAgent(String agent, String path, String code) {
		try (McpSyncClient client = client(agent)) {
			assertThat(error(client, "read_file", Map.of("path", path))).isEqualTo(code);
			if (!code.equals("file_not_found")) {
				assertThat(error(client, "write_file", Map.of("path", path, "content", "x"))).isEqualTo(code);
				assertThat(error(client, "list_files", Map.of("path", path))).isEqualTo(code);
			}
		}
		assertThat(directory.resolve("data")).isEmptyDirectory();
	}

	@Test
	void taskToolsReportErrorsOfTheOperatingSystem() throws IOException {
		try (McpSyncClient client = client("agent-1")) {
			data(client, "write_file", Map.of("path", "file", "content", "x"));
			assertThat(error(client, "write_file", Map.of("path", "file/below", "content", "x")))
				.isEqualTo("not_a_directory");
			assertThat(error(client, "read_file", Map.of("path", "."))).isEqualTo("is_a_directory");
		}
	}

	@SuppressWarnings("unchecked")
	private static List<Object> required(List<Tool> tools, String name) {
		Tool tool = tools.stream().filter((candidate) -> candidate.name().equals(name)).findFirst().orElseThrow();
		return (List<Object>) tool.inputSchema().getOrDefault("required", List.of());
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> data(McpSyncClient client, String tool, Map<String, Object> arguments) {
		CallToolResult result = client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
		assertThat(result.isError()).as("%s: %s", tool, result.content()).isFalse();
		return (Map<String, Object>) result.structuredContent();
	}

	private static Object error(McpSyncClient client, String tool, Map<String, Object> arguments) {
		CallToolResult result = client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
		assertThat(result.isError()).as("%s: %s", tool, result.content()).isTrue();
		Map<?, ?> data = (Map<?, ?>) result.structuredContent();
		assertThat(data).hasSize(2);
		assertThat(data.get("message")).asString().isNotBlank();
		return data.get("error");
	}

	private McpSyncClient client(String agent) {
		int port = ((WebServerApplicationContext) context).getWebServer().getPort();
		McpSyncClient client = McpClient.sync(HttpClientStreamableHttpTransport.builder("http://127.0.0.1:" + port)
			.httpRequestCustomizer((request, method, endpoint, body, transport) -> {
				if (agent != null) {
					request.header("X-Agent", agent);
				}
			})
			.build()).requestTimeout(Duration.ofSeconds(30)).build();
		client.initialize();
		return client;
	}

	/**
	 * An application that identifies agents by a header, which a proxy in front of it
	 * sets.
	 */
	@Configuration(proxyBeanMethods = false)
	@AutoConfigureApplication
	static class Application {

		@Bean
		Filter agents(TenantContextHolder tenants) {
			return (request, response, chain) -> {
				String agent = ((HttpServletRequest) request).getHeader("X-Agent");
				Map<String, String> attributes = (agent != null) ? Map.of(TenantContext.ATTR_AGENT_ID, agent)
						: Map.of();
				try (TenantContextHolder.Scope scope = tenants
					.bind(new TenantContext("default", "anonymous", attributes))) {
					chain.doFilter(request, response);
				}
			};
		}

	}

}

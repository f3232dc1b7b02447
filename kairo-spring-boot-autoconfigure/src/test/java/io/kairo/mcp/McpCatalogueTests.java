package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpServerFeatures.SyncPromptSpecification;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpStatelessServerFeatures;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the tools that a client is told of: those that its tenant may call, in a
 * fixed order, with the tools and prompts of the application.
 */
@Timeout(60)
class McpCatalogueTests {

	@TempDir
	Path directory;

	private McpTestServer start(String... arguments) throws IOException {
		Path files = Files.createDirectories(this.directory.resolve("files"));
		List<String> all = new ArrayList<>(List.of(arguments));
		all.addAll(List.of("--kairo.workspace.roots=" + files + "/{tenant}",
				"--kairo.state-dir=" + this.directory.resolve("state"), "--kairo.sandbox.type=none",
				"--kairo.mcp.expose=*", "--kairo.tools.include=Read,Write,List,Glob,Grep",
				"--kairo.tools.tenants.acme.enabled=Read,Grep", "--kairo.policy.rules[0].name=no-glob",
				"--kairo.policy.rules[0].action=deny", "--kairo.policy.rules[0].tools=Glob",
				"--kairo.policy.rules[0].tenants=globex", "--kairo.policy.rules[1].name=no-secrets",
				"--kairo.policy.rules[1].action=deny", "--kairo.policy.rules[1].tools=Read",
				"--kairo.policy.rules[1].paths=secret/**", "--kairo.policy.otherwise=allow"));
		return new McpTestServer(List.of(OfApplication.class), all.toArray(String[]::new));
	}

	private static List<String> tools(McpSyncClient client) {
		return client.listTools().tools().stream().map(Tool::name).toList();
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void clientIsToldOfTheToolsThatItsTenantMayCall(String protocol) throws IOException {
		try (McpTestServer server = start("--kairo.mcp.protocol=" + protocol);
				McpSyncClient acme = server.client("acme/ann");
				McpSyncClient globex = server.client("globex/bob");
				McpSyncClient other = server.client("other/carol")) {
			for (int i = 0; i < 3; i++) {
				assertThat(tools(acme)).containsExactly("Read", "Grep", "echo", "stateless");
				assertThat(tools(globex)).containsExactly("Read", "Write", "List", "Grep", "echo", "stateless");
				assertThat(tools(other)).containsExactly("Read", "Write", "List", "Glob", "Grep", "echo", "stateless");
			}
			assertThat(acme.callTool(CallToolRequest.builder("Write").arguments(Map.of()).build()).content().toString())
				.contains("tool_not_enabled");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void toolsAndPromptsOfTheApplicationAreServed(String protocol) throws IOException {
		try (McpTestServer server = start("--kairo.mcp.protocol=" + protocol);
				McpSyncClient client = server.client("acme/ann")) {
			for (String tool : List.of("echo", "stateless")) {
				assertThat(
						client.callTool(CallToolRequest.builder(tool).arguments(Map.of()).build()).content().toString())
					.contains("from " + tool);
			}
			assertThat(client.listPrompts().prompts()).extracting(Prompt::name).containsExactly("hello");
		}
	}

	@Test
	void clientIsToldOfToolThatIsAddedLater() throws IOException {
		List<List<Tool>> changes = new CopyOnWriteArrayList<>();
		try (McpTestServer server = start();
				McpSyncClient client = server.client("acme/ann", (spec) -> spec.toolsChangeConsumer(changes::add))) {
			client.listTools();
			McpSyncServer offering = server.context().getBean(McpSyncServer.class);
			offering.addTool(OfApplication.tool("later"));
			// the client opens its event stream at some time
			await().until(() -> {
				offering.notifyToolsListChanged();
				return !changes.isEmpty();
			});
			assertThat(tools(client)).containsExactly("Read", "Grep", "echo", "stateless", "later");
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class OfApplication {

		static SyncToolSpecification tool(String name) {
			return new SyncToolSpecification(Tool.builder(name, Map.of("type", "object")).build(),
					(exchange, request) -> CallToolResult.builder().addTextContent("from " + name).build());
		}

		@Bean
		SyncToolSpecification echo() {
			return tool("echo");
		}

		@Bean
		List<McpStatelessServerFeatures.SyncToolSpecification> statelessTools() {
			return List.of(new McpStatelessServerFeatures.SyncToolSpecification(
					Tool.builder("stateless", Map.of("type", "object")).build(),
					(context, request) -> CallToolResult.builder().addTextContent("from stateless").build()));
		}

		@Bean
		SyncPromptSpecification hello() {
			return new SyncPromptSpecification(Prompt.builder("hello").build(),
					(exchange, request) -> GetPromptResult.builder(List.of()).build());
		}

	}

}

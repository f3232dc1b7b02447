package io.kairo.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.kairo.autoconfigure.SharedApplications;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for two instances of a stateless MCP server behind a proxy that alternates
 * between them.
 */
@Timeout(90)
@DisabledOnOs(OS.WINDOWS)
class StatelessInstancesTests {

	private static final Pattern OUTPUT = Pattern.compile("@output/[0-9a-f]+");

	private final List<AutoCloseable> opened = new ArrayList<>();

	@RegisterExtension
	private static final SharedApplications<McpTestServer> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private RoundRobinProxy proxy;

	/**
	 * Starts two instances.
	 * @param first the directory of the first one
	 * @param second the directory of the second one
	 */
	private void start(String first, String second) throws IOException {
		List<Integer> ports = new ArrayList<>();
		for (String instance : List.of(first, second)) {
			for (String tenant : List.of("acme", "other")) {
				SharedApplications.empty(directory.resolve(instance + "/files/" + tenant));
			}
			ports.add(applications.get((arguments) -> new McpTestServer(List.of(), arguments),
					"--spring.ai.mcp.server.protocol=stateless",
					"--kairo.workspace.roots=" + directory.resolve(instance) + "/files/{tenant}",
					"--kairo.state-dir=" + directory.resolve(instance) + "/state", "--kairo.sandbox.type=process",
					"--kairo.mcp.expose=*", "--spring.application.name=instance-" + ports.size())
				.port());
		}
		this.proxy = new RoundRobinProxy(ports);
		this.opened.add(this.proxy);
	}

	private McpSyncClient client(String caller) {
		McpSyncClient client = McpTestServer.client(this.proxy.port(), caller, UnaryOperator.identity());
		this.opened.add(client);
		return client;
	}

	@AfterEach
	void stop() throws Exception {
		for (int i = this.opened.size(); i-- > 0;) {
			this.opened.get(i).close();
		}
	}

	@Test
	void tenantsAreSeparate() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		McpSyncClient other = client("other/ann");
		for (int i = 0; i < 4; i++) {
			call(client, "Write", Map.of("file_path", i + ".txt", "content", "of acme\n"));
			assertThat(call(other, "Read", Map.of("file_path", i + ".txt"))).startsWith("file_not_found");
			call(other, "Write", Map.of("file_path", i + ".txt", "content", "of other\n"));
			call(other, "Info", Map.of());
			assertThat(call(client, "Read", Map.of("file_path", i + ".txt"))).contains("of acme");
			assertThat(((TextResourceContents) other
				.readResource(ReadResourceRequest.builder("kairo://workspace/" + i + ".txt").build())
				.contents()
				.get(0)).text()).isEqualTo("of other\n");
		}
	}

	@Test
	void staleChangeIsDetectedByVersionThatOtherInstanceReturned() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		call(client, "Write", Map.of("file_path", "a.txt", "content", "one\n"));
		String version = version(call(client, "Read", Map.of("file_path", "a.txt")));
		assertThat(call(client, "Write", Map.of("file_path", "a.txt", "content", "unseen\n"))).startsWith("stale_read")
			.contains(version);
		Files.writeString(directory.resolve("shared/files/acme/a.txt"), "two\n");
		assertThat(
				call(client, "Write", Map.of("file_path", "a.txt", "content", "three\n", "expected_version", version)))
			.startsWith("stale_read");
		String next = version(call(client, "Read", Map.of("file_path", "a.txt")));
		assertThat(call(client, "Write", Map.of("file_path", "a.txt", "content", "three\n", "expected_version", next)))
			.doesNotContain("stale_read");
		assertThat(directory.resolve("shared/files/acme/a.txt")).hasContent("three");
	}

	@Test
	void concurrentEditsThatSucceedAreAllMade() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		Path file = directory.resolve("shared/files/acme/a.txt");
		Files.writeString(file, IntStream.range(0, 40).mapToObj("old%02d\n"::formatted).collect(Collectors.joining()));
		List<CompletableFuture<String>> edits = IntStream.range(0, 40)
			.mapToObj((i) -> CompletableFuture.supplyAsync(() -> call(client, "Edit",
					Map.of("file_path", "a.txt", "old_string", "old%02d".formatted(i), "new_string",
							"new%02d".formatted(i))),
					McpTestServer.THREADS))
			.toList();
		List<String> lines = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			String result = edits.get(i).join();
			assertThat(result).containsAnyOf("Edited", "stale_read", "conflict");
			lines.add((result.startsWith("Edited") ? "new%02d" : "old%02d").formatted(i));
		}
		assertThat(Files.readAllLines(file)).isEqualTo(lines).anyMatch((line) -> line.startsWith("new"));
	}

	@Test
	void longOutputIsReadFromOtherInstanceBySamePrincipalAlone() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		String output = output(call(client, "Bash", Map.of("command", "seq 100000")));
		for (int i = 0; i < 2; i++) {
			assertThat(call(client, "Read", Map.of("file_path", output, "offset", 50_000, "limit", 1)))
				.contains("50000\n");
			assertThat(call(client, "Grep", Map.of("pattern", "^77777$", "path", output, "output_mode", "content")))
				.contains("77777");
			call(client, "Info", Map.of());
		}
		for (String caller : List.of("acme/bob", "other/ann")) {
			assertThat(call(client(caller), "Read", Map.of("file_path", output))).startsWith("file_not_found");
		}
	}

	@Test
	void deletedFileIsRestoredByOtherInstance() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		Files.writeString(directory.resolve("shared/files/acme/a.txt"), "one\n");
		call(client, "Delete", Map.of("path", "a.txt"));
		assertThat(call(client, "Undelete", Map.of("path", "a.txt"))).startsWith("Restored 'a.txt'");
	}

	@Test
	void whatNeedsSessionIsNotOffered() throws Exception {
		start("shared", "shared");
		List<Tool> tools = client("acme/ann").listTools().tools();
		assertThat(tools).extracting(Tool::name)
			.contains("Read", "Delete", "Undelete", "Bash")
			.doesNotContain("BashOutput", "BashInput", "KillBash", "BashList");
		Tool bash = tools.stream().filter((tool) -> tool.name().equals("Bash")).findFirst().orElseThrow();
		assertThat(bash.inputSchema().get("properties")).asInstanceOf(InstanceOfAssertFactories.MAP)
			.containsOnlyKeys("command", "timeout", "description");
		assertThat(tools)
			.allSatisfy((tool) -> assertThat(tool.description()).doesNotContain("background", "BashOutput"));
		assertThat(bash.inputSchema().get("required")).isEqualTo(List.of("command"));
	}

	@Test
	void whatNeedsSessionIsRefusedWithReason() throws Exception {
		start("shared", "shared");
		McpSyncClient client = client("acme/ann");
		assertThat(call(client, "Bash", Map.of("command", "sleep 100", "run_in_background", true)))
			.startsWith("unsupported_request: There is no session in which a command could run in the background.");
		Files.createDirectories(directory.resolve("shared/files/acme/sub"));
		call(client, "Bash", Map.of("command", "cd sub"));
		for (int i = 0; i < 2; i++) {
			assertThat(call(client, "Bash", Map.of("command", "pwd"))).endsWith("/acme");
		}
		assertThat(client.getServerCapabilities().resources().subscribe()).isFalse();
	}

	@Test
	void instancesThatShareNothingSayWhatIsMissing() throws Exception {
		start("first", "second");
		McpSyncClient client = client("acme/ann");
		call(client, "Write", Map.of("file_path", "a.txt", "content", "one\n"));
		List<String> reads = List.of(call(client, "Read", Map.of("file_path", "a.txt")),
				call(client, "Read", Map.of("file_path", "a.txt")));
		assertThat(reads).anyMatch((text) -> text.startsWith("file_not_found"))
			.anyMatch((text) -> text.contains("one"));
		String output = output(call(client, "Bash", Map.of("command", "seq 100000")));
		List<String> outputs = List.of(call(client, "Read", Map.of("file_path", output)),
				call(client, "Read", Map.of("file_path", output)));
		assertThat(outputs)
			.anyMatch((text) -> text.startsWith("file_not_found")
					&& text.contains("by the instances that share a state directory"))
			.anyMatch((text) -> text.contains("     1\t1\n"));
	}

	private static String call(McpSyncClient client, String tool, Map<String, Object> arguments) {
		CallToolResult result = client.callTool(CallToolRequest.builder(tool).arguments(arguments).build());
		return ((TextContent) result.content().get(0)).text();
	}

	private static String version(String text) {
		Matcher version = Pattern.compile("\\(version (\\S+)\\)").matcher(text);
		assertThat(version.find()).as(text).isTrue();
		return version.group(1);
	}

	private static String output(String text) {
		Matcher output = OUTPUT.matcher(text);
		assertThat(output.find()).as(text).isTrue();
		return output.group();
	}

}

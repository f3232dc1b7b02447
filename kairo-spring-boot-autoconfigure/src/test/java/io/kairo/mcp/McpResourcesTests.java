package io.kairo.mcp;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import io.kairo.autoconfigure.SharedApplications;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.server.McpServerFeatures.SyncResourceSpecification;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import io.modelcontextprotocol.spec.McpSchema.ListResourcesResult;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.SubscribeRequest;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for files as resources of an MCP server.
 */
@Timeout(60)
class McpResourcesTests {

	private static final String FILES = "kairo://workspace/";

	@RegisterExtension
	private static final SharedApplications<McpTestServer> applications = new SharedApplications<>();

	@TempDir
	private static Path directory;

	private Path files;

	private McpTestServer server;

	@BeforeEach
	void createFiles() throws Exception {
		this.files = directory.resolve("acme");
		SharedApplications.empty(this.files);
		SharedApplications.empty(directory.resolve("other"));
	}

	private McpSyncClient start(String protocol, String... more) {
		List<String> all = new ArrayList<>(List.of("--spring.ai.mcp.server.protocol=" + protocol,
				"--kairo.workspace.roots=" + directory + "/{tenant}", "--kairo.sandbox.type=process",
				"--kairo.mcp.resources.max-size=1KB"));
		all.addAll(List.of(more));
		this.server = applications.get((arguments) -> new McpTestServer(List.of(Extensions.class), arguments),
				all.toArray(String[]::new));
		return this.server.client("acme/ann");
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void filesAreReadAsTextOrBlob(String protocol) throws Exception {
		Files.createDirectories(this.files.resolve("a b/ä#"));
		Files.writeString(this.files.resolve("a b/ä#/50%?.md"), "# Title\r\nü\u0007");
		Files.write(this.files.resolve("latin.csv"), "é;1\n".getBytes(StandardCharsets.ISO_8859_1));
		Files.write(this.files.resolve("x.bin"), new byte[] { 'P', 'K', 3, 4, 0 });
		byte[] png = { (byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n', 0, 1, 2 };
		Files.write(this.files.resolve("x.png"), png);
		try (McpSyncClient client = start(protocol)) {
			assertThat(client.listResourceTemplates().resourceTemplates()).extracting(ResourceTemplate::uriTemplate)
				.containsExactly("kairo://workspace/{+path}");
			String uri = FILES + "a%20b/%C3%A4%23/50%25%3F.md";
			assertThat(read(client, uri))
				.isEqualTo(TextResourceContents.builder(uri, "# Title\r\nü\u0007").mimeType("text/markdown").build());
			assertThat(((TextResourceContents) read(client, FILES + "latin.csv")).text()).isEqualTo("é;1\n");
			assertThat(read(client, FILES + "x.bin"))
				.isEqualTo(BlobResourceContents.builder(FILES + "x.bin", "UEsDBAA=")
					.mimeType("application/octet-stream")
					.build());
			BlobResourceContents image = (BlobResourceContents) read(client, FILES + "x.png");
			assertThat(image.mimeType()).isEqualTo("image/png");
			assertThat(Base64.getDecoder().decode(image.blob())).isEqualTo(png);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void failureIsErrorOfProtocolWithoutHostPath(String protocol) throws Exception {
		Files.createDirectories(this.files.resolve("src"));
		Files.writeString(this.files.resolve("src/App.java"), "");
		try (McpSyncClient client = start(protocol)) {
			McpError missing = failure(client, FILES + "src/Ap.java");
			assertThat(missing.getJsonRpcError().code()).isEqualTo(ErrorCodes.RESOURCE_NOT_FOUND);
			assertThat(missing).hasMessageContaining("src/App.java").hasMessageNotContaining(directory.toString());
			assertThat(failure(client, FILES + "src")).hasMessageNotContaining(directory.toString());
			assertThat(failure(client, "file:///etc/passwd").getJsonRpcError().code())
				.isEqualTo(ErrorCodes.RESOURCE_NOT_FOUND);
			for (String path : List.of("../other/b.txt", "src/%2e%2e/%2E%2E/other/b.txt", "/etc/passwd",
					"%2Fetc%2Fpasswd", "", "a%00b", "%FF", "a?b")) {
				McpError refused = failure(client, FILES + path);
				assertThat(refused.getJsonRpcError().code()).as(path)
					.isIn(ErrorCodes.INVALID_PARAMS, ErrorCodes.RESOURCE_NOT_FOUND);
				assertThat(refused).hasMessageNotContaining(directory.toString());
			}
		}
	}

	@Test
	@DisabledOnOs(OS.WINDOWS)
	void linkOutOfWorkspaceIsNotFollowed() throws Exception {
		Files.writeString(directory.resolve("other/b.txt"), "of the other");
		Files.createSymbolicLink(this.files.resolve("out.txt"), directory.resolve("other/b.txt"));
		Files.createSymbolicLink(this.files.resolve("out"), directory.resolve("other"));
		try (McpSyncClient client = start("streamable")) {
			for (String path : List.of("out.txt", "out/b.txt")) {
				assertThat(failure(client, FILES + path).getJsonRpcError().data())
					.isEqualTo(Map.of("error", "path_traversal_blocked"));
				assertThatExceptionOfType(McpError.class)
					.isThrownBy(() -> client.subscribeResource(new SubscribeRequest(FILES + path)));
			}
		}
	}

	@Test
	void hugeFileIsRefusedWithAdvice() throws Exception {
		try (RandomAccessFile file = new RandomAccessFile(this.files.resolve("huge.txt").toFile(), "rw")) {
			file.setLength(1L << 40);
		}
		Files.write(this.files.resolve("fits.txt"), "x".repeat(1024).getBytes());
		try (McpSyncClient client = start("streamable")) {
			McpError refused = failure(client, FILES + "huge.txt");
			assertThat(refused).hasMessageContaining("more than the 1,024 bytes")
				.hasMessageContaining("Read it in parts");
			assertThat(refused.getJsonRpcError().data()).isEqualTo(Map.of("error", "too_large"));
			assertThat(((TextResourceContents) read(client, FILES + "fits.txt")).text()).hasSize(1024);
		}
	}

	@Test
	void currentDirectoryAndReadVersionsOfSessionMakeNoDifference() throws Exception {
		Files.createDirectories(this.files.resolve("sub"));
		Files.writeString(this.files.resolve("a.txt"), "top");
		Files.writeString(this.files.resolve("sub/a.txt"), "sub");
		try (McpSyncClient client = start("streamable", "--kairo.mcp.expose=*")) {
			client.callTool(CallToolRequest.builder("Bash").arguments(Map.of("command", "cd sub")).build());
			assertThat(((TextResourceContents) read(client, FILES + "a.txt")).text()).isEqualTo("top");
			assertThat(client
				.callTool(CallToolRequest.builder("Write")
					.arguments(Map.of("file_path", "../a.txt", "content", "new"))
					.build())
				.isError()).as("has been read").isTrue();
		}
	}

	@Test
	void readingPassesInterceptors() throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "a");
		try (McpSyncClient client = start("streamable", "--spring.profiles.active=extended")) {
			List<String> calls = this.server.context().getBean(Extensions.class).calls;
			calls.clear();
			assertThat(failure(client, FILES + "secret/a.txt").getJsonRpcError().data())
				.isEqualTo(Map.of("error", "policy_denied"));
			assertThatExceptionOfType(McpError.class)
				.isThrownBy(() -> client.subscribeResource(new SubscribeRequest(FILES + "secret/a.txt")));
			read(client, FILES + "a.txt");
			assertThat(calls).containsExactly("Read {file_path=./secret/a.txt}",
					"Read {limit=1, file_path=./secret/a.txt}", "Read {file_path=./a.txt}");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "streamable", "stateless" })
	void filesAtTheTopAreListedInPages(String protocol) throws Exception {
		Files.createDirectories(this.files.resolve("src"));
		Files.writeString(this.files.resolve(".hidden"), "");
		for (int i = 0; i < 450; i++) {
			Files.writeString(this.files.resolve("a b%03d.txt".formatted(i)), "12");
		}
		try (McpSyncClient client = start(protocol)) {
			ListResourcesResult first = client.listResources((String) null);
			assertThat(first.resources()).hasSizeBetween(150, 200);
			assertThat(client.listResources().resources()).hasSize(450)
				.contains(Resource.builder(FILES + "a%20b007.txt", "a b007.txt").size(2L).build());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "roots", "relative-only", "logical" })
	@DisabledOnOs(OS.WINDOWS)
	void fileWhoseNameBeginsOrEndsWithBlankIsListedAndRead(String policy) throws Exception {
		List<String> names = List.of("a.txt", "a.txt ", " a.txt", " ", "a\u2003");
		for (String name : names) {
			Files.writeString(this.files.resolve(name), "[" + name + "]");
		}
		try (McpSyncClient client = start("streamable", "--kairo.workspace.path-policy=" + policy)) {
			List<Resource> listed = client.listResources().resources();
			assertThat(listed).extracting(Resource::name)
				.containsExactlyInAnyOrder("a.txt", "a.txt ", " a.txt", FILES + "%20", "a\u2003");
			for (Resource file : listed) {
				assertThat(names.stream().map((name) -> "[" + name + "]"))
					.contains(((TextResourceContents) read(client, file.uri())).text());
				client.subscribeResource(new SubscribeRequest(file.uri()));
			}
			assertThat(((TextResourceContents) read(client, FILES + "a.txt%20")).text()).isEqualTo("[a.txt ]");
		}
	}

	@Test
	void entryThatNoUriNamesIsNotListed() throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "");
		try (McpSyncClient client = start("streamable", "--spring.profiles.active=extended,odd")) {
			assertThat(client.listResources().resources()).extracting(Resource::uri)
				.containsExactly("own://a", FILES + "b.txt");
		}
	}

	@Test
	void resourcesOfApplicationAreListedBesides() throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "");
		try (McpSyncClient client = start("streamable", "--spring.profiles.active=extended")) {
			assertThat(client.listResources().resources()).extracting(Resource::uri)
				.containsExactly("own://a", FILES + "a.txt");
			assertThat(((TextResourceContents) read(client, "own://a")).text()).isEqualTo("own");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "--kairo.mcp.expose=Bash", "--kairo.mcp.resources.enabled=false",
			"--spring.ai.mcp.server.capabilities.resource=false" })
	void resourcesAreNotOfferedWithoutToolOrIfDisabled(String argument) throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "");
		try (McpSyncClient client = start("streamable", argument)) {
			assertThatExceptionOfType(Exception.class).isThrownBy(() -> read(client, FILES + "a.txt"));
			if (client.getServerCapabilities().resources() != null) {
				assertThat(client.getServerCapabilities().resources().subscribe()).isFalse();
				assertThat(client.listResources().resources()).isEmpty();
				assertThat(client.listResourceTemplates().resourceTemplates()).isEmpty();
			}
		}
	}

	@Test
	void toolsWithOtherNamesServeResources() throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "a");
		try (McpSyncClient client = start("streamable", "--kairo.tools.naming=snake_case",
				"--kairo.tools.name-prefix=ws_")) {
			assertThat(((TextResourceContents) read(client, FILES + "a.txt")).text()).isEqualTo("a");
			assertThat(client.listResources().resources()).extracting(Resource::uri).containsExactly(FILES + "a.txt");
		}
	}

	@Test
	void sameUriIsFileOfTenant() throws Exception {
		Files.writeString(this.files.resolve("a.txt"), "of acme");
		Files.writeString(directory.resolve("other/a.txt"), "of other");
		Files.writeString(directory.resolve("other/b.txt"), "of other");
		try (McpSyncClient client = start("streamable"); McpSyncClient other = this.server.client("other/bob")) {
			assertThat(((TextResourceContents) read(client, FILES + "a.txt")).text()).isEqualTo("of acme");
			assertThat(((TextResourceContents) read(other, FILES + "a.txt")).text()).isEqualTo("of other");
			assertThat(failure(client, FILES + "b.txt").getJsonRpcError().code())
				.isEqualTo(ErrorCodes.RESOURCE_NOT_FOUND);
			assertThat(client.listResources().resources()).extracting(Resource::uri).containsExactly(FILES + "a.txt");
		}
	}

	private static McpError failure(McpSyncClient client, String uri) {
		return catchThrowableOfType(McpError.class, () -> read(client, uri));
	}

	private static ResourceContents read(McpSyncClient client, String uri) {
		return client.readResource(ReadResourceRequest.builder(uri).build()).contents().get(0);
	}

	@Configuration(proxyBeanMethods = false)
	@Profile("extended")
	static class Extensions {

		private final List<String> calls = new CopyOnWriteArrayList<>();

		@Bean
		ToolInterceptor interceptor() {
			return (call, context, chain) -> {
				this.calls.add(call.name() + " " + call.arguments());
				return String.valueOf(call.arguments().get("file_path")).contains("secret")
						? ToolResult.failure("policy_denied", "Denied.", null) : chain.proceed(call, context);
			};
		}

		@Bean
		@Profile("odd")
		ToolInterceptor odd() {
			return (call, context, chain) -> ToolResult.ok("",
					Map.of("entries",
							Stream.of("/a", "b//", "..", "b.txt")
								.map((path) -> Map.of("path", path, "type", "file"))
								.toList()));
		}

		@Bean
		List<SyncResourceSpecification> own() {
			return List.of(new SyncResourceSpecification(Resource.builder("own://a", "a").build(),
					(exchange, request) -> ReadResourceResult
						.builder(List.of(TextResourceContents.builder("own://a", "own").build()))
						.build()));
		}

	}

}

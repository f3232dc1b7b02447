package demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Hooks;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Two tenants of one reactive application, and one that attacks the other.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class TwoTenantsTests {

	private static final String SECRET = "alices-secret-4711";

	@TempDir
	static Path directory;

	private static Path files;

	private final HttpClient http = HttpClient.newHttpClient();

	@LocalServerPort
	private int port;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) throws IOException {
		files = Files.createDirectory(directory.resolve("files"));
		registry.add("demo.directory", directory::toString);
	}

	@AfterAll
	static void disablePropagation() {
		Hooks.disableAutomaticContextPropagation();
	}

	@ParameterizedTest
	@ValueSource(strings = { "call", "stream" })
	void eachHasAWorkspaceOfItsOwn(String way) {
		for (String user : List.of("alice", "bob")) {
			ask(user, way, "Write {\"file_path\":\"%s.txt\",\"content\":\"of %s\"}".formatted(way, user));
		}
		for (String user : List.of("alice", "bob")) {
			assertThat(ask(user, way, "Read {\"file_path\":\"%s.txt\"}".formatted(way))).contains("of " + user);
			assertThat(files.resolve(user + "/" + way + ".txt")).hasContent("of " + user);
			assertThat(ask(user, way, "Bash {\"command\":\"pwd\"}")).endsWith("/" + user);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "call", "stream" })
	void tenantsOfConcurrentRequestsAreKeptApart(String way) {
		List<CompletableFuture<String>> answers = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			String user = (i % 2 == 0) ? "alice" : "bob";
			String file = way + i + ".txt";
			answers.add(CompletableFuture.supplyAsync(() -> ask(user, way,
					"Write {\"file_path\":\"%s\",\"content\":\"of %s\"}".formatted(file, user))));
		}
		answers.forEach(CompletableFuture::join);
		for (int i = 0; i < 40; i++) {
			String user = (i % 2 == 0) ? "alice" : "bob";
			String other = (i % 2 == 0) ? "bob" : "alice";
			assertThat(files.resolve(user).resolve(way + i + ".txt")).hasContent("of " + user);
			assertThat(files.resolve(other).resolve(way + i + ".txt")).doesNotExist();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "call", "stream" })
	void attackOnPathsFindsNothing(String way) throws IOException {
		ask("bob", way, "List {}");
		ask("alice", way, "Write {\"file_path\":\"secret.txt\",\"content\":\"" + SECRET + "\"}");
		Path secret = files.resolve("alice/secret.txt");
		String link = "link-" + way;
		Files.createSymbolicLink(files.resolve("bob").resolve(link), secret.getParent());
		for (String spelling : List.of("secret.txt", secret.toString(), "../alice/secret.txt", link + "/secret.txt",
				"{tenant}/../alice/secret.txt")) {
			assertThat(ask("bob", way, "Read {\"file_path\":\"%s\"}".formatted(spelling))).as(spelling)
				.doesNotContain(SECRET);
			ask("bob", way, "Write {\"file_path\":\"%s\",\"content\":\"by bob\"}".formatted(spelling));
			assertThat(secret).as(spelling).hasContent(SECRET);
		}
		assertThat(ask("bob", way, "Grep {\"pattern\":\"" + SECRET + "\"}")).doesNotContain("secret.txt");
	}

	@ParameterizedTest
	@ValueSource(strings = { "call", "stream" })
	void attackOnASessionDoesNotFindIt(String way) {
		ask("alice", way, "Bash {\"command\":\"mkdir -p deep && cd deep\"}");
		assertThat(ask("alice", way, "Bash {\"command\":\"pwd\"}")).endsWith("/alice/deep");
		assertThat(ask("bob", way, "Bash {\"command\":\"pwd\"}")).endsWith("/bob");
		ask("alice", way, "Bash {\"command\":\"cd ..\"}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "call", "stream" })
	void callerWithoutLoginIsRefused(String way) {
		assertThat(ask(null, way, "List {}")).startsWith("tenant_required");
	}

	@Test
	void userIsNeverTheDefaultTenantWithoutPropagation() {
		Hooks.disableAutomaticContextPropagation();
		try (ConfigurableApplicationContext other = start("--spring.reactor.context-propagation=limited",
				"--kairo.workspace.roots=" + files.resolve("alice"))) {
			int port = Integer.parseInt(other.getEnvironment().getRequiredProperty("local.server.port"));
			assertThat(ask(port, "bob", "call", "List {}")).startsWith("tenant_required");
			assertThat(ask(port, "bob", "stream", "List {}")).startsWith("workspace_not_assigned");
		}
		finally {
			Hooks.enableAutomaticContextPropagation();
		}
	}

	@Test
	void mcpServerOverSseFailsTheStart(CapturedOutput output) {
		assertThatExceptionOfType(RuntimeException.class).isThrownBy(
				() -> start("--kairo.mcp.enabled=true", "--spring.ai.mcp.server.protocol=sse").close());
		assertThat(output).contains("spring.ai.mcp.server.protocol").contains("set streamable or stateless");
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "limited" })
	void statelessMcpServerKeepsTenantsApart(String propagation) {
		Hooks.disableAutomaticContextPropagation();
		try (ConfigurableApplicationContext server = start("--kairo.mcp.enabled=true",
				"--kairo.mcp.protocol=stateless", "--kairo.mcp.expose=*",
				"--spring.reactor.context-propagation=" + propagation)) {
			int port = Integer.parseInt(server.getEnvironment().getRequiredProperty("local.server.port"));
			for (String user : List.of("alice", "bob")) {
				assertThat(call(port, user, null, "Write",
						"{\"file_path\":\"mcp.txt\",\"content\":\"of %s\"}".formatted(user)))
					.contains("\"isError\":false");
			}
			for (String user : List.of("alice", "bob")) {
				assertThat(call(port, user, null, "Read", "{\"file_path\":\"mcp.txt\"}")).contains("of " + user);
				assertThat(call(port, user, null, "Bash", "{\"command\":\"pwd\"}")).contains("/" + user);
				assertThat(files.resolve(user + "/mcp.txt")).hasContent("of " + user);
			}
			assertThat(call(port, "bob", null, "Read", "{\"file_path\":\"../alice/mcp.txt\"}"))
				.doesNotContain("of alice");
			assertThat(call(port, null, null, "List", "{}")).isEmpty();
		}
		finally {
			Hooks.enableAutomaticContextPropagation();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "auto", "limited" })
	void mcpSessionIsThatOfItsUserAlone(String propagation) {
		Hooks.disableAutomaticContextPropagation();
		try (ConfigurableApplicationContext server = start("--kairo.mcp.enabled=true",
				"--kairo.mcp.protocol=streamable", "--kairo.mcp.expose=*",
				"--spring.reactor.context-propagation=" + propagation)) {
			int port = Integer.parseInt(server.getEnvironment().getRequiredProperty("local.server.port"));
			String alice = initialize(port, "alice");
			String bob = initialize(port, "bob");
			assertThat(call(port, "alice", alice, "Bash", "{\"command\":\"mkdir -p deep && cd deep\"}"))
				.contains("\"isError\":false");
			assertThat(call(port, "alice", alice, "Bash", "{\"command\":\"pwd\"}")).contains("/alice/deep");
			assertThat(call(port, "bob", bob, "Bash", "{\"command\":\"pwd\"}")).contains("/bob").doesNotContain("deep");
			assertThat(call(port, "bob", alice, "Bash", "{\"command\":\"pwd\"}"))
				.contains("The session does not exist")
				.doesNotContain("/alice");
			assertThat(call(port, null, alice, "List", "{}")).isEmpty();
		}
		finally {
			Hooks.enableAutomaticContextPropagation();
		}
	}

	private String initialize(int port, String user) {
		return mcp(port, user, null, """
				{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18",\
				"capabilities":{},"clientInfo":{"name":"test","version":"1"}}}""").headers()
			.firstValue("Mcp-Session-Id")
			.orElseThrow();
	}

	private String call(int port, String user, String session, String tool, String arguments) {
		return mcp(port, user, session,
				"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":\"%s\",\"arguments\":%s}}"
					.formatted(tool, arguments))
			.body();
	}

	private HttpResponse<String> mcp(int port, String user, String session, String message) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/mcp"))
			.header("Content-Type", "application/json")
			.header("Accept", "application/json, text/event-stream")
			.POST(BodyPublishers.ofString(message));
		if (session != null) {
			request.header("Mcp-Session-Id", session);
		}
		return send(request, user);
	}

	private static ConfigurableApplicationContext start(String... arguments) {
		List<String> all = new ArrayList<>(List.of(arguments));
		all.add("--server.port=0");
		all.add("--demo.directory=" + directory);
		all.add("--kairo.state-dir=" + directory.resolve("other-state"));
		return SpringApplication.run(TwoTenants.class, all.toArray(String[]::new));
	}

	private String ask(String user, String way, String prompt) {
		return ask(this.port, user, way, prompt);
	}

	private String ask(int port, String user, String way, String prompt) {
		HttpRequest.Builder request = HttpRequest.newBuilder(
				URI.create("http://127.0.0.1:" + port + ((user != null) ? "/agent/" : "/open/") + way + "/session-of-alice"))
			.header("Content-Type", "text/plain")
			.POST(BodyPublishers.ofString(prompt));
		return send(request, user).body();
	}

	private HttpResponse<String> send(HttpRequest.Builder request, String user) {
		if (user != null) {
			request.header("Authorization", "Basic " + Base64.getEncoder()
				.encodeToString((user + ":" + user + "-password").getBytes(StandardCharsets.UTF_8)));
		}
		try {
			return this.http.send(request.build(), BodyHandlers.ofString());
		}
		catch (IOException | InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}

package demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.ai.chat.client.ChatClient;
import org.springframework.ai.chat.client.ChatClient.ChatClientRequestSpec;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two tenants of one application, over MCP and through Spring AI, and one that attacks the
 * other.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Timeout(120)
class TwoTenantsTests {

	@TempDir
	static Path directory;

	@LocalServerPort
	private int port;

	@Autowired
	private ToolCallbackProvider tools;

	private Caller alice;

	private Caller bob;

	@DynamicPropertySource
	static void properties(DynamicPropertyRegistry registry) {
		registry.add("demo.directory", directory::toString);
	}

	@BeforeEach
	void connect() {
		this.alice = new Caller(this.port, "alice");
		this.bob = new Caller(this.port, "bob");
	}

	@AfterEach
	void disconnect() {
		this.alice.close();
		this.bob.close();
		SecurityContextHolder.clearContext();
	}

	@Nested
	class OverMcp {

		@Test
		void eachHasAWorkspaceOfItsOwn() throws IOException {
			assertThat(alice().call("Write", Map.of("file_path", "note.txt", "content", "of alice\n")).isError()).isFalse();
			assertThat(bob().call("Write", Map.of("file_path", "note.txt", "content", "of bob\n")).isError()).isFalse();
			assertThat(alice().text("Read", Map.of("file_path", "note.txt"))).contains("of alice").doesNotContain("bob");
			assertThat(bob().text("Read", Map.of("file_path", "note.txt"))).contains("of bob").doesNotContain("alice");
			assertThat(directory.resolve("alice/note.txt")).hasContent("of alice");
			assertThat(directory.resolve("bob/note.txt")).hasContent("of bob");
		}

		@Test
		void commandsStartInTheWorkspaceOfTheCaller() {
			assertThat(alice().text("Bash", Map.of("command", "pwd"))).contains("/alice").doesNotContain("/bob");
			assertThat(bob().text("Bash", Map.of("command", "pwd"))).contains("/bob").doesNotContain("/alice");
		}

	}

	@Nested
	class WithApproval {

		@Test
		void commandRunsWhenTheOperatorAllowsIt() throws Exception {
			CompletableFuture<String> deployment = CompletableFuture
				.supplyAsync(() -> alice().text("Bash", Map.of("command", "echo deployed by alice")));
			try (Caller operator = new Caller(TwoTenantsTests.this.port, "operator")) {
				String id = Awaitility.await()
					.until(() -> field("id", operator.get("/actuator/kairoapprovals").body()), (found) -> found != null);
				String request = operator.get("/actuator/kairoapprovals/" + id).body();
				assertThat(request).contains("echo deployed by alice");
				String answer = "{\"digest\": \"%s\", \"answer\": \"allow_once\"}".formatted(field("digest", request));
				String path = "/actuator/kairoapprovals/" + id;
				assertThat(bob().postJson(path, answer).statusCode()).isEqualTo(403);
				assertThat(alice().postJson(path, answer).statusCode()).isEqualTo(403);
				assertThat(deployment).isNotDone();
				assertThat(operator.postJson(path, answer).body()).contains("ACCEPTED");
			}
			assertThat(deployment.get(30, TimeUnit.SECONDS)).contains("deployed by alice");
		}

		private static String field(String name, String json) {
			Matcher matcher = Pattern.compile("\"" + name + "\":\"([^\"]+)\"").matcher(json);
			return matcher.find() ? matcher.group(1) : null;
		}

	}

	@Nested
	class ThroughSpringAi {

		@Test
		void eachHasAWorkspaceOfItsOwn() {
			assertThat(run("alice", new Script().call("Write", """
					{"file_path": "plan.txt", "content": "of alice"}""")).get(0)).doesNotContain("error");
			assertThat(run("bob", new Script().call("Read", """
					{"file_path": "plan.txt"}""")).get(0)).startsWith("file_not_found");
			assertThat(run("alice", new Script().call("Read", """
					{"file_path": "plan.txt"}""")).get(0)).contains("of alice");
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void attackOnPathsFindsNothing(boolean streamed) {
			String secret = "alices-secret-4712";
			run("alice", new Script().call("Write", """
					{"file_path": "hidden.txt", "content": "%s"}""".formatted(secret)), streamed);
			Path file = directory.resolve("alice/hidden.txt");
			for (String spelling : List.of("hidden.txt", file.toString(), "../alice/hidden.txt", "{tenant}/../alice/hidden.txt")) {
				List<String> responses = run("bob", new Script().call("Read", """
						{"file_path": "%s"}""".formatted(spelling)).call("Write", """
						{"file_path": "%s", "content": "by bob"}""".formatted(spelling)).call("Grep", """
						{"pattern": "alices-secret"}"""), streamed);
				assertThat(responses).as(spelling)
					.hasSize(3)
					.allSatisfy((response) -> assertThat(response).doesNotContain(secret));
				assertThat(file).as(spelling).hasContent(secret);
			}
		}

		@ParameterizedTest
		@ValueSource(booleans = { false, true })
		void attackOnASessionDoesNotFindIt(boolean streamed) {
			run("alice", new Script().call("Bash", """
					{"command": "mkdir -p deep && cd deep"}"""), streamed);
			Script pwd = new Script().call("Bash", """
					{"command": "pwd"}""");
			assertThat(run("bob", pwd, streamed).get(0)).endsWith("/bob");
			run("alice", pwd.call("Bash", """
					{"command": "pwd && cd .."}"""), streamed);
			assertThat(pwd.responses().get(1)).contains("/alice/deep");
		}

		private List<String> run(String user, Script script) {
			return run(user, script, false);
		}

		/**
		 * Runs an agent of a user, in a session whose id is known to both.
		 */
		private List<String> run(String user, Script script, boolean streamed) {
			SecurityContextHolder.getContext()
				.setAuthentication(UsernamePasswordAuthenticationToken.authenticated(user, null,
						AuthorityUtils.createAuthorityList("ROLE_TENANT")));
			ChatClientRequestSpec request = ChatClient.create(script)
				.prompt("Do it")
				.toolCallbacks(List.of(TwoTenantsTests.this.tools.getToolCallbacks()))
				.toolContext(Map.of("kairo.session.id", "session-of-alice"));
			if (streamed) {
				request.stream().content().contextCapture().blockLast();
			}
			else {
				request.call().content();
			}
			return script.responses();
		}

	}

	@Nested
	class Metrics {

		@Test
		void showBothByName() throws Exception {
			alice().text("Bash", Map.of("command", "true"));
			bob().text("List", Map.of());
			try (Caller operator = new Caller(TwoTenantsTests.this.port, "operator")) {
				String scrape = operator.get("/actuator/prometheus").body();
				assertThat(scrape).containsPattern("kairo_tool_calls_seconds_count\\{[^}]*tenant=\"alice\"")
					.containsPattern("kairo_tool_calls_seconds_count\\{[^}]*tenant=\"bob\"")
					.containsPattern("kairo_sandbox_executions_seconds_count\\{[^}]*tenant=\"alice\"");
			}
		}

	}

	/**
	 * Bob has the rights of a tenant, knows where everything lies, and has stolen every id
	 * of Alice's.
	 */
	@Nested
	class Attack {

		private static final String SECRET = "alices-secret-4711";

		@Test
		void onPathsFindsNothing() throws IOException {
			bob().text("List", Map.of());
			alice().text("Write", Map.of("file_path", "secret.txt", "content", SECRET + "\n"));
			Path secret = directory.resolve("alice/secret.txt");
			Files.createSymbolicLink(directory.resolve("bob/link-" + System.nanoTime()), secret);
			Files.createSymbolicLink(directory.resolve("bob/alice-" + System.nanoTime()), secret.getParent());
			List<String> spellings = List.of("secret.txt", secret.toString(), "../alice/secret.txt",
					"./../bob/../alice/secret.txt", "link/../../alice/secret.txt", "{tenant}/../alice/secret.txt");
			for (String spelling : spellings) {
				assertThat(bob().text("Read", Map.of("file_path", spelling))).as(spelling).doesNotContain(SECRET);
				CallToolResult write = bob().call("Write", Map.of("file_path", spelling, "content", "by bob"));
				assertThat(secret).as("%s: %s", spelling, Caller.text(write)).hasContent(SECRET);
				bob().call("Edit", Map.of("file_path", spelling, "old_string", SECRET, "new_string", "by bob"));
				assertThat(secret).as(spelling).hasContent(SECRET);
			}
			try (var links = Files.list(directory.resolve("bob"))) {
				for (Path link : links.filter(Files::isSymbolicLink).toList()) {
					String name = link.getFileName().toString();
					assertThat(bob().text("Read", Map.of("file_path", name))).doesNotContain(SECRET);
					assertThat(bob().text("Read", Map.of("file_path", name + "/secret.txt"))).doesNotContain(SECRET);
					assertThat(bob().text("Grep", Map.of("pattern", SECRET, "path", name))).doesNotContain("secret.txt");
				}
			}
			assertThat(bob().text("Grep", Map.of("pattern", SECRET))).doesNotContain("secret.txt");
			// what Bob wrote by these spellings is his own
			assertThat(bob().text("Glob", Map.of("pattern", "**/secret.txt")).lines().filter((line) -> !line.startsWith("(")))
				.allSatisfy((path) -> assertThat(directory.resolve("bob").resolve(path)).hasContent("by bob"));
			assertThat(bob().text("List", Map.of("path", ".."))).doesNotContain("alice");
			assertThat(bob().text("Info", Map.of("path", secret.toString()))).doesNotContain("size");
			assertThat(secret).hasContent(SECRET);
		}

		@Test
		void onASessionDoesNotFindIt() throws Exception {
			String session = alice().openSession();
			alice().post(session, call("1", "Bash", "{\"command\":\"mkdir -p deep && cd deep\"}"));
			assertThat(alice().post(session, call("2", "Bash", "{\"command\":\"pwd\"}")).body()).contains("/alice/deep");
			assertThat(bob().post(session, call("3", "Bash", "{\"command\":\"pwd\"}")).statusCode()).isEqualTo(404);
			assertThat(bob().listen(session).statusCode()).isEqualTo(404);
			assertThat(bob().delete(session).statusCode()).isEqualTo(404);
			assertThat(alice().post(session, call("4", "Bash", "{\"command\":\"pwd\"}")).body()).contains("/alice/deep");
		}

		@Test
		void onARunningCallDoesNotEndIt() throws Exception {
			String session = alice().openSession();
			CompletableFuture<String> call = CompletableFuture.supplyAsync(() -> {
				try {
					return alice().post(session, call("9", "Bash", "{\"command\":\"touch running; sleep 300\"}")).body();
				}
				catch (IOException | InterruptedException ex) {
					throw new IllegalStateException(ex);
				}
			});
			Awaitility.await().untilAsserted(() -> assertThat(directory.resolve("alice/running")).exists());
			String cancelled = """
					{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}""";
			bob().post(session, cancelled);
			Awaitility.await().during(Duration.ofSeconds(1)).until(() -> !call.isDone());
			alice().post(session, cancelled);
			assertThat(call.get(20, TimeUnit.SECONDS)).contains("cancelled");
		}

		@Test
		void onAnOutputFindsNothing() {
			String text = alice().text("Bash", Map.of("command", "for i in $(seq 20000); do echo " + SECRET + "; done"));
			Matcher output = Pattern.compile("@output/[\\w-]+").matcher(text);
			assertThat(output.find()).as(text.substring(Math.max(0, text.length() - 400))).isTrue();
			assertThat(alice().text("Read", Map.of("file_path", output.group()))).contains(SECRET);
			assertThat(bob().text("Read", Map.of("file_path", output.group()))).doesNotContain(SECRET);
			assertThat(bob().text("Grep", Map.of("pattern", "secret", "path", output.group()))).doesNotContain(SECRET);
		}

		@Test
		void onTheStateOfTheApplicationFindsNothing() {
			assertThat(bob().call("List", Map.of("path", directory + ".state")).isError()).isTrue();
			assertThat(bob().call("Read", Map.of("file_path", "../.state")).isError()).isTrue();
		}

		@Test
		void onTheEndpointsIsRefused() throws Exception {
			for (String endpoint : List.of("kairotools", "kairoworkspaces", "kairoexecutions", "kairotenants", "prometheus")) {
				assertThat(bob().get("/actuator/" + endpoint).statusCode()).as(endpoint).isEqualTo(403);
				try (Caller operator = new Caller(TwoTenantsTests.this.port, "operator")) {
					assertThat(operator.get("/actuator/" + endpoint).statusCode()).as(endpoint).isEqualTo(200);
				}
			}
		}

		private static String call(String id, String tool, String arguments) {
			return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"method\":\"tools/call\",\"params\":{\"name\":\"" + tool
					+ "\",\"arguments\":" + arguments + "}}";
		}

	}

	private Caller alice() {
		return this.alice;
	}

	private Caller bob() {
		return this.bob;
	}

}

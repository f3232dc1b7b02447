package io.kairo.mcp;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.stream.Stream;

import io.kairo.autoconfigure.SharedApplications;
import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.governance.policy.Approvals;
import io.kairo.governance.policy.SessionGrant;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.AgentTool;
import io.kairo.tools.ToolAnnotations;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolDefinition;
import io.kairo.tools.ToolResult;
import io.modelcontextprotocol.client.McpSyncClient;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the approval of calls by the people at MCP clients.
 */
@Timeout(60)
class McpElicitationTests {

	private final List<ElicitFormRequest> asked = new CopyOnWriteArrayList<>();

	@RegisterExtension
	private static final SharedApplications<McpTestServer> applications = new SharedApplications<>();

	@TempDir
	private static Path root;

	/** The tenant of the test. */
	private String tenant;

	private Path directory;

	private McpTestServer server;

	private void start(String... more) {
		List<String> all = new ArrayList<>(properties().map((property) -> "--" + property).toList());
		all.addAll(List.of("--kairo.workspace.roots=" + root + "/{tenant}", "--kairo.sandbox.type=process",
				"--kairo.mcp.expose=*", "--kairo.policy.rules[0].name=changes", "--kairo.policy.rules[0].action=ask",
				"--kairo.policy.rules[0].tools=Write", "--kairo.policy.rules[0].reason=Changes need a person.",
				"--kairo.policy.otherwise=allow", "--kairo.policy.approvals.poll-interval=50ms"));
		all.addAll(List.of(more));
		this.server = applications.get((arguments) -> new McpTestServer(configuration(), arguments),
				all.toArray(String[]::new));
	}

	/**
	 * Returns the properties that select the transport.
	 */
	Stream<String> properties() {
		return Stream.of("spring.ai.mcp.server.protocol=streamable");
	}

	/**
	 * Returns the configuration of the application.
	 */
	List<Class<?>> configuration() {
		return List.of(NestedTool.class);
	}

	@BeforeEach
	void createDirectory(TestInfo test) throws Exception {
		this.tenant = test.getTestMethod().orElseThrow().getName();
		this.directory = root.resolve(this.tenant);
		SharedApplications.empty(this.directory);
	}

	@Test
	void personAllowsCallOnce() throws Exception {
		start("--kairo.mcp.elicitation.enabled=true");
		try (McpSyncClient client = client(answering(McpElicitation.ALLOW_ONCE))) {
			CallToolResult result = write(client, "a.txt", "x\u202Ey");
			assertThat(result.isError()).as(text(result)).isFalse();
			assertThat(this.directory.resolve("a.txt")).exists();
			write(client, "b.txt", "");
			assertThat(this.asked).hasSize(2);
			assertThat(this.asked.get(0).message()).contains("rule changes: Changes need a person.", "Write in",
					"a.txt", "x\\u{202e}y");
			assertThat(this.asked.get(0).requestedSchema()).isEqualTo(Map.of("type", "object", "properties",
					Map.of("decision",
							Map.of("type", "string", "title", "Decision", "enum",
									List.of("allow once", "allow for this session", "deny"))),
					"required", List.of("decision")));
		}
	}

	@Test
	void personAllowsCallsOfSession() {
		start("--kairo.mcp.elicitation.enabled=true");
		try (McpSyncClient client = client(answering(McpElicitation.ALLOW_FOR_SESSION));
				McpSyncClient second = client(answering(McpElicitation.DENY))) {
			assertThat(write(client, "a.txt", "").isError()).isFalse();
			assertThat(write(client, "b.txt", "").isError()).isFalse();
			assertThat(this.asked).hasSize(1);
			assertThat(approvals().grants(this.tenant)).extracting(SessionGrant::decidedBy).containsExactly("ann");
			assertThat(write(second, "c.txt", "").isError()).isTrue();
			assertThat(this.asked).hasSize(2);
		}
	}

	@Test
	void personDeniesOrDeclines() {
		start("--kairo.mcp.elicitation.enabled=true");
		try (McpSyncClient client = client(answering(McpElicitation.DENY));
				McpSyncClient second = client((request) -> ElicitResult.builder(ElicitResult.Action.DECLINE).build())) {
			assertThat(text(write(client, "a.txt", ""))).startsWith("approval_denied");
			assertThat(text(write(second, "b.txt", ""))).startsWith("approval_denied");
			assertThat(this.directory).isEmptyDirectory();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "cancel", "nothing", "other" })
	void dismissedOrUnclearAnswerLeavesRequestToOthers(String how) {
		start("--kairo.mcp.elicitation.enabled=true");
		try (McpSyncClient client = client((request) -> switch (how) {
			case "cancel" -> ElicitResult.builder(ElicitResult.Action.CANCEL).build();
			case "nothing" -> ElicitResult.builder(ElicitResult.Action.ACCEPT).build();
			default -> ElicitResult.builder(ElicitResult.Action.ACCEPT).content(Map.of("decision", "yes")).build();
		})) {
			CompletableFuture<CallToolResult> call = CompletableFuture.supplyAsync(() -> write(client, "a.txt", ""),
					McpTestServer.THREADS);
			await().until(() -> this.asked.size() == 1 && approvals().pending(this.tenant).size() == 1);
			var pending = approvals().pending(this.tenant).get(0);
			approvals().answer(pending.id(), pending.digest(), ApprovalAnswer.allowOnce("operator"));
			assertThat(call.join().isError()).isFalse();
		}
	}

	@Test
	void callEndsWithAnswerOfOtherAndQuestionIsAbandoned() {
		start("--kairo.mcp.elicitation.enabled=true");
		CountDownLatch late = new CountDownLatch(1);
		try (McpSyncClient client = client((request) -> {
			try {
				late.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return ElicitResult.builder(ElicitResult.Action.ACCEPT)
				.content(Map.of("decision", McpElicitation.ALLOW_FOR_SESSION))
				.build();
		})) {
			CompletableFuture<CallToolResult> call = CompletableFuture.supplyAsync(() -> write(client, "a.txt", ""),
					McpTestServer.THREADS);
			await().until(() -> this.asked.size() == 1 && approvals().pending(this.tenant).size() == 1);
			var pending = approvals().pending(this.tenant).get(0);
			approvals().answer(pending.id(), pending.digest(), ApprovalAnswer.deny("operator", "Not today."));
			assertThat(text(call.join())).startsWith("approval_denied").contains("Not today.");
			await().until(() -> threads() == 0);
			late.countDown();
			await().during(Duration.ofMillis(300)).until(() -> approvals().grants(this.tenant).isEmpty());
		}
		finally {
			late.countDown();
		}
	}

	@Test
	void clientThatDoesNotAnswerIsNotWaitedForBeyondTimeout() {
		start("--kairo.mcp.elicitation.enabled=true", "--kairo.mcp.elicitation.timeout=200ms",
				"--kairo.policy.approvals.timeout=1s");
		CountDownLatch never = new CountDownLatch(1);
		try (McpSyncClient client = client((request) -> {
			try {
				never.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return ElicitResult.builder(ElicitResult.Action.CANCEL).build();
		})) {
			assertThat(text(write(client, "a.txt", ""))).startsWith("approval_expired");
			assertThat(threads()).isZero();
		}
		finally {
			never.countDown();
		}
	}

	@Test
	void clientIsNotAskedWithoutCapabilityOrProperty() {
		start("--kairo.policy.approvals.timeout=300ms");
		assertThat(this.server.context().getBeanProvider(ApprovalHandler.class).stream()).isEmpty();
		try (McpSyncClient client = client(answering(McpElicitation.ALLOW_ONCE))) {
			assertThat(text(write(client, "a.txt", ""))).startsWith("approval_expired");
		}
		start("--kairo.mcp.elicitation.enabled=true", "--kairo.policy.approvals.timeout=300ms");
		try (McpSyncClient client = this.server.client(this.tenant + "/ann")) {
			assertThat(text(write(client, "a.txt", ""))).startsWith("approval_expired");
		}
		assertThat(this.asked).isEmpty();
	}

	@Test
	void personIsNotAskedAboutCallsOfOtherSessionsOnSameThread() {
		start("--kairo.mcp.elicitation.enabled=true", "--kairo.policy.approvals.timeout=300ms");
		try (McpSyncClient client = client(answering(McpElicitation.ALLOW_ONCE))) {
			assertThat(text(client.callTool(CallToolRequest.builder("Nested").arguments(Map.of()).build())))
				.startsWith("approval_expired");
			assertThat(this.asked).isEmpty();
		}
	}

	private McpSyncClient client(Function<ElicitFormRequest, ElicitResult> person) {
		return this.server.client(this.tenant + "/ann",
				(client) -> client.capabilities(ClientCapabilities.builder().elicitation().build())
					.elicitation((request) -> {
						this.asked.add(request);
						return person.apply(request);
					}));
	}

	private static Function<ElicitFormRequest, ElicitResult> answering(String decision) {
		return (request) -> ElicitResult.builder(ElicitResult.Action.ACCEPT)
			.content(Map.of("decision", decision))
			.build();
	}

	private Approvals approvals() {
		return this.server.context().getBean(Approvals.class);
	}

	private int threads() {
		return ((McpElicitation) this.server.context().getBean(ApprovalHandler.class)).open();
	}

	private static CallToolResult write(McpSyncClient client, String file, String content) {
		return client.callTool(
				CallToolRequest.builder("Write").arguments(Map.of("file_path", file, "content", content)).build());
	}

	private static String text(CallToolResult result) {
		return ((TextContent) result.content().get(0)).text();
	}

	@Configuration(proxyBeanMethods = false)
	static class NestedTool {

		/**
		 * A tool that calls another one in another session of the same owner.
		 */
		@Bean
		AgentTool nested(ObjectProvider<AgentSessions> sessions, ObjectProvider<ToolCatalog> catalog) {
			return new AgentTool() {

				@Override
				public ToolDefinition definition() {
					return new ToolDefinition("Nested", "Calls Write.", Map.of("type", "object"),
							ToolAnnotations.READ_ONLY);
				}

				@Override
				public ToolResult call(Map<String, Object> arguments, ToolContext context) {
					return sessions.getObject()
						.callInSession(context.tenant(), "other", (other) -> catalog.getObject()
							.call("Write", Map.of("file_path", "a.txt", "content", ""), other));
				}

			};
		}

	}

}

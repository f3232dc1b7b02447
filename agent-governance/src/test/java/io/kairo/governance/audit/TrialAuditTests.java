package io.kairo.governance.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

import io.kairo.api.tenant.TenantContext;
import io.kairo.governance.policy.ApprovalAnswer;
import io.kairo.governance.policy.ApprovalHandler;
import io.kairo.governance.policy.ApprovalOptions;
import io.kairo.governance.policy.Approvals;
import io.kairo.governance.policy.InMemoryApprovalStore;
import io.kairo.governance.policy.PolicyInterceptor;
import io.kairo.governance.policy.PolicyRule;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolDecision;
import io.kairo.tools.ToolInterceptor;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link AuditInterceptor} with trials.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class TrialAuditTests {

	@TempDir
	Path temp;

	private final List<AuditRecord> records = new CopyOnWriteArrayList<>();

	private final AuditLog log = new AuditLog(List.of(new AuditSink() {

		@Override
		public String name() {
			return "test";
		}

		@Override
		public void append(List<AuditRecord> added) {
			TrialAuditTests.this.records.addAll(added);
		}

	}), AuditPolicy.FAIL, Duration.ofSeconds(10), (record) -> {
	});

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private Path directory;

	private CheckpointStore store;

	private AgentSessions sessions;

	@BeforeEach
	void open() throws IOException {
		this.directory = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		this.store = new CheckpointStore(this.temp.resolve("checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.sessions = new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), this.sandbox, SessionBounds.DEFAULTS,
				SessionDefaults.NONE,
				new OutputStore(this.temp.resolve("outputs"), OutputOptions.defaults(), Clock.systemUTC()),
				new BackgroundCommands(BackgroundOptions.defaults()), this.store);
	}

	@AfterEach
	void close() {
		this.sessions.close();
		this.store.close();
		this.sandbox.close();
		this.log.close();
	}

	private ToolCatalog catalog(ToolInterceptor... others) {
		List<ToolInterceptor> interceptors = new ArrayList<>(List
			.of(new AuditInterceptor(this.log, AuditContent.NONE, (name) -> true, () -> "trace", Clock.systemUTC())));
		interceptors.addAll(List.of(others));
		return ToolCatalog.of(List.of(new WriteTool(), new BashTool(), new TrialTool()), interceptors);
	}

	@Test
	void commitRecordsEachEntryOfTheWorkspaceAndNoneOfTheApplication() {
		ToolCatalog catalog = catalog();
		call(catalog, "Bash",
				Map.of("command", "mkdir -p d/e; echo x > d/e/f; ln -s f d/link; rm a.txt; echo y > b", "trial", true));
		call(catalog, "Trial", Map.of("action", "commit"));
		assertThat(changed()).extracting(AuditRecord.TouchedPath::path)
			.containsExactlyInAnyOrder("a.txt", "b", "d", "d/e", "d/e/f", "d/link");
		assertThat(changed()).extracting(AuditRecord.TouchedPath::tried).containsOnlyNulls();
	}

	@Test
	void changesInATrialAreMarked() {
		ToolCatalog catalog = catalog();
		call(catalog, "Trial", Map.of("action", "begin"));
		call(catalog, "Write", Map.of("file_path", "new", "content", "x"));
		assertThat(changed()).singleElement().extracting(AuditRecord.TouchedPath::tried).isEqualTo(true);
		assertThat(AuditJson.read(AuditJson.write(last()))).isEqualTo(last());
		call(catalog, "Trial", Map.of("action", "discard"));
		call(catalog, "Write", Map.of("file_path", "new", "content", "x"));
		assertThat(changed()).singleElement().extracting(AuditRecord.TouchedPath::tried).isNull();
		assertThat(AuditJson.write(last())).doesNotContain("tried");
	}

	@Test
	void commandsInATrialAreMarkedAndItsEndSaysWhetherTheyCount() throws IOException {
		ToolCatalog catalog = catalog();
		call(catalog, "Bash", Map.of("command", "echo x > new"));
		assertThat(tried()).containsOnlyNulls().hasSize(1);
		call(catalog, "Bash", Map.of("command", "chmod 700 a.txt", "trial", true));
		assertThat(tried()).containsExactly(true);
		assertThat(AuditJson.read(AuditJson.write(last()))).isEqualTo(last());
		Path go = this.temp.resolve("go");
		call(catalog, "Bash",
				Map.of("command", "until [ -e " + go + " ]; do sleep 0.05; done", "run_in_background", true));
		Files.createFile(go);
		await().until(() -> last().event() == AuditRecord.Event.COMMAND_ENDED);
		assertThat(tried()).containsExactly(true);
		Files.writeString(this.directory.resolve("a.txt"), "theirs");
		assertThat(end(catalog, "Changes")).isNull();
		assertThat(end(catalog, "Commit")).as("with a conflict").isNull();
		assertThat(end(catalog, "discard")).isEqualTo("discard");
		assertThat(end(catalog, "discard")).as("of no trial").isNull();
		assertThat(end(catalog, "Begin")).isEqualTo("begin");
		call(catalog, "Bash", Map.of("command", "chmod 700 a.txt"));
		assertThat(tried()).containsExactly(true);
		assertThat(end(catalog, "commit")).isEqualTo("commit");
		assertThat(AuditJson.write(last())).contains("\"trial\":\"commit\"");
		call(catalog, "Bash", Map.of("command", "true"));
		assertThat(tried()).containsOnlyNulls().hasSize(1);
		assertThat(AuditJson.write(last())).doesNotContain("tried", "trial");
	}

	private @Nullable String end(ToolCatalog catalog, String action) {
		call(catalog, "Trial", Map.of("action", action));
		return last().effects().trial();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void commandOfAReviewedCallIsTriedAndTheDecisionSaysWhetherItCounts(boolean approved) {
		ToolCatalog catalog = catalog(reviewing(approved));
		this.sessions.call(SessionRequest.of(new TenantContext("acme", "bob"), "s1"), catalog,
				new ToolCall("1", "Bash", Map.of("command", "echo x > new")), UnaryOperator.identity());
		assertThat(tried()).containsExactly(true);
		assertThat(last().decision()).isNotNull();
		assertThat(last().decision().outcome())
			.isEqualTo(approved ? ToolDecision.Outcome.APPROVED : ToolDecision.Outcome.REJECTED);
	}

	private List<Boolean> tried() {
		return last().effects().commands().stream().map(AuditRecord.Command::tried).collect(Collectors.toList());
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void changesOfAReviewedCallAreThoseOfATrialUnlessItIsApproved(boolean approved) {
		ToolCatalog catalog = catalog(reviewing(approved));
		this.sessions.call(SessionRequest.of(new TenantContext("acme", "bob"), "s1"), catalog,
				new ToolCall("1", "Write", Map.of("file_path", "new", "content", "x")), UnaryOperator.identity());
		assertThat(this.directory.resolve("new").toFile().exists()).isEqualTo(approved);
		assertThat(changed()).singleElement()
			.extracting(AuditRecord.TouchedPath::path, AuditRecord.TouchedPath::tried)
			.containsExactly("new", approved ? null : true);
	}

	private static PolicyInterceptor reviewing(boolean approved) {
		ApprovalHandler person = (approval, context) -> CompletableFuture
			.completedFuture(approved ? ApprovalAnswer.allowOnce("ann") : ApprovalAnswer.deny("ann", "no"));
		Approvals approvals = new Approvals(new InMemoryApprovalStore(), List.of(person),
				new ApprovalOptions(Duration.ofMillis(500), Duration.ofMillis(10), 3, Duration.ofHours(1)),
				Clock.systemUTC());
		return new PolicyInterceptor(new ToolPolicy(List.of(PolicyRule.review("all").build())), approvals,
				(tenant) -> Map.of());
	}

	private AuditRecord last() {
		return this.records.get(this.records.size() - 1);
	}

	/**
	 * Returns what the last call changed.
	 */
	private List<AuditRecord.TouchedPath> changed() {
		return last().effects().paths().stream().filter(AuditRecord.TouchedPath::changed).toList();
	}

	private void call(ToolCatalog catalog, String tool, Map<String, Object> arguments) {
		assertThat(this.sessions
			.call(SessionRequest.of(new TenantContext("acme", "bob"), "s1"), catalog,
					new ToolCall("1", tool, arguments), UnaryOperator.identity())
			.error()).isNull();
	}

}

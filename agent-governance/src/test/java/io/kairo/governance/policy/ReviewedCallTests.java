package io.kairo.governance.policy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.checkpoint.RewindTool;
import io.kairo.tools.checkpoint.TrialTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.tools.trash.TrashOptions;
import io.kairo.tools.trash.TrashStore;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import io.kairo.workspace.quota.QuotaFilesFactory;
import io.kairo.workspace.quota.WorkspaceQuota;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReviewedCall}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
class ReviewedCallTests {

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final List<String> shown = new ArrayList<>();

	@TempDir
	Path temp;

	private Path directory;

	private CheckpointStore store;

	private AgentSessions sessions;

	private ToolCatalog catalog;

	/** Answers each request. */
	private ApprovalHandler person = (approval, context) -> CompletableFuture
		.completedFuture(ApprovalAnswer.allowOnce("ann"));

	@BeforeEach
	void open() throws IOException {
		this.directory = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		this.store = new CheckpointStore(this.temp.resolve("checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.sessions = sessions(this.store);
		this.catalog = catalog(PolicyRule.review("all").build());
	}

	private ToolCatalog catalog(PolicyRule last) {
		ToolPolicy policy = new ToolPolicy(List.of(PolicyRule.deny("never").commands("rm -rf /").build(),
				PolicyRule.allow("trials").tools("Trial", "Rewind").build(), last));
		Approvals approvals = new Approvals(new InMemoryApprovalStore(), List.of((approval, context) -> {
			this.shown.add(approval.shown());
			return this.person.ask(approval, context);
		}), new ApprovalOptions(Duration.ofMillis(500), Duration.ofMillis(10), 3, Duration.ofHours(1)),
				Clock.systemUTC());
		TrashStore trash = new TrashStore(this.temp.resolve("trash"), TrashOptions.defaults());
		return ToolCatalog.of(
				List.of(new WriteTool(), new BashTool(), new TrialTool(), new RewindTool(),
						new DeleteTool(trash, Duration.ofSeconds(5), ToolNaming.CLAUDE)),
				List.of(new PolicyInterceptor(policy, approvals, (tenant) -> Map.of("key", "0123456789"))));
	}

	private AgentSessions sessions(@Nullable CheckpointStore checkpoints) {
		return sessions(checkpoints, this.sandbox);
	}

	private AgentSessions sessions(@Nullable CheckpointStore checkpoints, ExecutionSandbox commands) {
		return new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory),
				new QuotaFilesFactory(new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
						new WorkspaceQuota(5_000_000, 1_000)),
				commands, SessionBounds.DEFAULTS, SessionDefaults.NONE,
				new OutputStore(this.temp.resolve("outputs"), OutputOptions.defaults(), Clock.systemUTC()),
				new BackgroundCommands(BackgroundOptions.defaults()), checkpoints);
	}

	@AfterEach
	void close() {
		this.sessions.close();
		this.store.close();
		this.sandbox.close();
		assertThat(this.temp.resolve("trials").toFile().list()).isNullOrEmpty();
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		return this.sessions.call(SessionRequest.of(new TenantContext("acme", "bob"), "s1"), this.catalog,
				new ToolCall("1", tool, arguments), UnaryOperator.identity());
	}

	private ToolResult bash(String command) {
		return call("Bash", Map.of("command", command));
	}

	private static void assertCode(ToolResult result, String code) {
		assertThat(result.error()).as(result.text()).isNotNull();
		assertThat(result.error().code()).as(result.text()).isEqualTo(code);
	}

	@Test
	void whatACommandChangedIsShownAndCommittedOnceItIsApproved() throws Exception {
		ToolResult result = bash("echo two > a.txt; echo 0123456789 > new; echo printed");
		assertThat(result.error()).as(result.text()).isNull();
		assertThat(result.text()).contains("printed");
		assertThat(this.shown).hasSize(1);
		assertThat(this.shown.get(0)).contains("echo two > a.txt", "changed\ta.txt", "created\tnew", "-one", "+two",
				"+[secret key]", "printed");
		assertThat(this.directory.resolve("a.txt")).hasContent("two");
		assertThat(this.directory.resolve("new")).hasContent("0123456789");
		assertThat(call("Rewind", Map.of()).error()).isNull();
		assertThat(this.directory.resolve("a.txt")).hasContent("one");
	}

	@Test
	void whatIsNotApprovedLeavesNothing() throws Exception {
		this.person = (approval, context) -> {
			assertThat(this.directory.resolve("a.txt")).hasContent("one");
			return CompletableFuture.completedFuture(ApprovalAnswer.deny("ann", "no"));
		};
		assertCode(bash("rm a.txt; mkdir made; cd made"), PolicyInterceptor.REJECTED);
		assertCode(call("Write", Map.of("file_path", "new", "content", "x")), PolicyInterceptor.REJECTED);
		assertCode(call("Delete", Map.of("path", "a.txt")), PolicyInterceptor.REJECTED);
		this.person = (approval, context) -> new CompletableFuture<>();
		assertCode(bash("rm a.txt"), PolicyInterceptor.EXPIRED);
		assertThat(this.directory.toFile().list()).containsExactly("a.txt");
		assertThat(this.shown).hasSize(4);
	}

	@Test
	void commandOfARuleWithoutNetworkIsRefusedWhereItWouldHaveOne() {
		this.catalog = catalog(PolicyRule.review("all").withoutNetwork().build());
		ToolResult refused = bash("echo x > new");
		assertCode(refused, "unsupported_request");
		assertThat(refused.text()).contains("without network", "'process'", "commands run on the host");
		assertThat(this.shown).isEmpty();
		assertThat(this.directory.resolve("new")).doesNotExist();
		assertThat(call("Write", Map.of("file_path", "new", "content", "x")).error()).isNull();
	}

	@ParameterizedTest
	@EnumSource(names = { "NETWORK_OFF", "NETWORK_OFF_ON_REQUEST" })
	void commandOfARuleWithoutNetworkHasNone(SandboxCapability capability) throws Exception {
		List<SandboxRequest> requests = new ArrayList<>();
		this.sessions.close();
		this.sessions = sessions(this.store, new ExecutionSandbox() {

			@Override
			public SandboxHandle start(SandboxRequest request) {
				requests.add(request);
				return ReviewedCallTests.this.sandbox
					.start(new SandboxRequest.Builder(request.command(), request.workspaceRoot()).build());
			}

			@Override
			public SandboxCapabilities capabilities() {
				return SandboxCapabilities.of("test", Set.of(capability, SandboxCapability.NETWORK_ALLOW_LIST),
						Map.of());
			}

		});
		this.catalog = catalog(PolicyRule.review("all").withoutNetwork().build());
		ToolResult tried = bash("echo x > new; echo Could not resolve host: example.org; false");
		assertThat(this.directory.resolve("new")).hasContent("x");
		assertThat(tried.text()).contains("commands have no network here").doesNotContain("listed hosts");
		this.catalog = catalog(PolicyRule.review("all").build());
		bash("true");
		assertThat(requests).extracting((request) -> request.attributes().withoutNetwork())
			.containsExactly(true, false);
		assertThat(requests).extracting((request) -> request.attributes().sessionId()).doesNotContainNull();
	}

	@Test
	void sandboxWithoutNetworkSharesWhatTheOtherDoes() {
		ExecutionSandbox sharing = new ExecutionSandbox() {

			@Override
			public SandboxHandle start(SandboxRequest request) {
				return ReviewedCallTests.this.sandbox.start(request);
			}

			@Override
			public List<String> sharedDirectories(TenantContext tenant) {
				return List.of("/tmp", "/home/" + tenant.tenantId());
			}

		};
		assertThat(new OfflineSandbox(sharing).sharedDirectories(new TenantContext("acme", "ann")))
			.containsExactly("/tmp", "/home/acme");
	}

	@Test
	void callWithoutAnEffectOnFilesIsNotAskedAbout() {
		assertThat(bash("cat a.txt; touch a.txt").text()).contains("one");
		assertThat(this.shown).isEmpty();
	}

	@Test
	void whatOthersChangedMeanwhileIsNotOverwritten() throws Exception {
		this.person = (approval, context) -> {
			try {
				Files.writeString(this.directory.resolve("a.txt"), "theirs\n");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return CompletableFuture.completedFuture(ApprovalAnswer.allowOnce("ann"));
		};
		assertCode(bash("echo mine > a.txt; echo x > new"), PolicyInterceptor.STALE);
		assertThat(this.directory.resolve("a.txt")).hasContent("theirs");
		assertThat(this.directory.resolve("new")).doesNotExist();
	}

	@Test
	void whatExceedsTheQuotaIsNotCommitted() {
		assertCode(bash("head -c 6000000 /dev/zero > large"), "quota_exceeded");
		assertThat(this.shown).hasSize(1);
		assertThat(this.directory.toFile().list()).containsExactly("a.txt");
	}

	@Test
	void eachApprovalIsForOneCall() throws Exception {
		bash("echo x >> log");
		bash("echo x >> log");
		assertThat(this.shown).hasSize(2);
		assertThat(this.directory.resolve("log")).hasContent("x\nx");
	}

	@Test
	void callThatCannotBeTriedIsAskedAboutItself() {
		ToolResult started = call("Bash", Map.of("command", "echo background > b", "run_in_background", true));
		assertThat(started.error()).isNull();
		assertThat(this.shown).hasSize(1);
		assertThat(this.shown.get(0)).doesNotContain("It would change");
	}

	@Test
	void denialsAndTrialsOfTheModelAreNoWayAround() {
		assertCode(bash("rm -rf /x"), PolicyInterceptor.DENIED);
		assertThat(call("Trial", Map.of("action", "begin")).error()).isNull();
		assertCode(bash("rm a.txt"), "conflict");
		assertThat(call("Trial", Map.of("action", "commit")).error()).isNull();
		assertThat(this.directory.resolve("a.txt")).hasContent("one");
		assertCode(call("Bash", Map.of("command", "echo x > b", "trial", true)), "conflict");
		assertThat(call("Trial", Map.of("action", "commit")).error()).isNotNull();
		assertThat(this.directory.toFile().list()).containsExactly("a.txt");
		assertThat(this.shown).isEmpty();
	}

	@Test
	void sessionWithoutCheckpointsHasNoReviews() {
		this.sessions.close();
		this.sessions = sessions(null);
		assertCode(bash("rm a.txt"), "unsupported_file_type");
		assertThat(this.directory.resolve("a.txt")).exists();
	}

	@Test
	void allThatIsCommittedIsShown() {
		bash("ln -s /etc/passwd link; chmod 750 a.txt; mkdir -m 700 made; printf 'bin\\377' > binary");
		assertThat(this.shown.get(0)).contains("created\tlink\tlink to /etc/passwd",
				"changed\ta.txt\tfile rw-r--r-- -> file rwxr-x---", "created\tmade\tdirectory rwx------",
				"created\tbinary\tfile rw-r--r-- of 4 bytes that are not shown, sha256 ");
		bash("seq 500 > long; echo hidden >> long");
		assertThat(this.shown.get(1)).contains("+hidden");
		bash("for i in $(seq 300); do : > m$i; done; : > zzz");
		assertThat(this.shown.get(2)).contains("created\tm300\t", "created\tzzz\t");
		bash("rm a.txt; mkdir a.txt");
		assertThat(this.shown.get(3)).contains("changed\ta.txt\tfile rwxr-x--- -> directory");
		bash("(head -c 2000 /dev/zero | tr '\\0' x; echo hidden) > line");
		assertThat(this.shown.get(4)).contains("hidden\n");
	}

	@ParameterizedTest
	@ValueSource(strings = { "seq 60000 > much", "head -c 900000 /dev/zero | tr '\\0' x > line" })
	void whatIsTooLongToBeShownIsNotCommitted(String command) {
		assertCode(bash(command), PolicyInterceptor.TOO_LONG);
		assertThat(this.shown).isEmpty();
		assertThat(this.directory.toFile().list()).containsExactly("a.txt");
	}

	@Test
	void onlyWhatWasShownIsCommitted() {
		this.person = (approval, context) -> {
			try (Stream<Path> copies = Files.list(this.temp.resolve("trials"))) {
				Path copy = copies.filter(Files::isDirectory).findFirst().orElseThrow();
				Files.writeString(copy.resolve("a.txt"), "other\n");
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			return CompletableFuture.completedFuture(ApprovalAnswer.allowOnce("ann"));
		};
		assertCode(bash("echo two > a.txt"), PolicyInterceptor.STALE);
		assertThat(this.directory.resolve("a.txt")).hasContent("one");
	}

	@Test
	void commandInTheBackgroundIsAskedAboutHoweverItIsSaid() {
		this.person = (approval, context) -> CompletableFuture.completedFuture(ApprovalAnswer.deny("ann", "no"));
		for (Object value : List.of(true, 1, 2, "True", " true ")) {
			assertCode(call("Bash", Map.of("command", "sleep 1", "run_in_background", value)),
					PolicyInterceptor.REJECTED);
		}
		assertThat(this.shown).hasSize(5).allSatisfy((text) -> assertThat(text).doesNotContain("It would change"));
	}

	@Test
	void directoryThatTheCallStartedFromIsShown() {
		bash("mkdir -p sub/deep; cd sub");
		bash("touch x; cd deep");
		assertThat(this.shown.get(0)).startsWith("Bash in " + this.directory + "\n");
		assertThat(this.shown.get(1)).startsWith("Bash in " + this.directory + "/sub\n");
	}

}

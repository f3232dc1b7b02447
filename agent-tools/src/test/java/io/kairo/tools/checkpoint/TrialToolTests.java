package io.kairo.tools.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.ChangeReport;
import io.kairo.api.workspace.ForwardingWorkspaceFiles;
import io.kairo.api.workspace.WorkspaceChange;
import io.kairo.api.workspace.WorkspaceFiles;
import io.kairo.api.workspace.WorkspaceFilesFactory;
import io.kairo.api.workspace.WorkspaceResult;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSession;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.file.WriteTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.workspace.checkpoint.CheckpointOptions;
import io.kairo.workspace.checkpoint.CheckpointStore;
import io.kairo.workspace.checkpoint.TrialOptions;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.PathPolicy;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link TrialTool} with calls that began before a trial.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class TrialToolTests {

	private static final TenantContext ALICE = new TenantContext("acme", "alice");

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	@TempDir
	Path temp;

	private Path directory;

	private ToolCatalog catalog;

	private CheckpointStore store;

	private AgentSessions sessions;

	@BeforeEach
	void open() throws IOException {
		this.directory = Files.createDirectory(this.temp.toRealPath().resolve("work"));
		this.catalog = ToolCatalog.of(List.of(new WriteTool(), new BashTool(), new TrialTool(4_000, ToolNaming.CLAUDE)),
				List.of());
		this.store = new CheckpointStore(this.temp.resolve("state/checkpoints"), CheckpointOptions.defaults(),
				TrialOptions.defaults(this.temp.resolve("state/trials")), (tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.sessions = sessions(LocalFilesOptions.DEFAULTS);
	}

	private AgentSessions sessions(LocalFilesOptions options) {
		return sessions(new LocalWorkspaceFilesFactory(options));
	}

	private AgentSessions sessions(WorkspaceFilesFactory factory) {
		return new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory), factory, this.sandbox,
				SessionBounds.DEFAULTS, SessionDefaults.NONE,
				new OutputStore(this.temp.resolve("state/outputs"), OutputOptions.defaults(), Clock.systemUTC()),
				new BackgroundCommands(BackgroundOptions.defaults()), this.store);
	}

	@AfterEach
	void close() {
		this.sessions.close();
		this.store.close();
		this.sandbox.close();
		assertThat(this.temp.resolve("state/trials").toFile().list()).isNullOrEmpty();
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		ToolResult result = this.sessions.call(SessionRequest.of(ALICE, "one"), this.catalog,
				new ToolCall("1", tool, arguments), UnaryOperator.identity());
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	private ToolResult call(ToolContext context, String tool, Map<String, Object> arguments) {
		return this.catalog.call(new ToolCall("1", tool, arguments), context);
	}

	/**
	 * Returns the context of a call that has opened its files, as an interceptor does.
	 */
	private ToolContext early() {
		return this.sessions.callInSession(ALICE, "one", (context) -> {
			context.files();
			return context;
		});
	}

	@Test
	void commitThatWasCalledBeforeTheBeginningCommitsTheTrial() {
		ToolContext early = early();
		call("Trial", Map.of("action", "begin"));
		call("Write", Map.of("file_path", "new", "content", "x"));
		assertThat(call(early, "Trial", Map.of("action", "changes")).text()).contains("created\tnew");
		assertThat(call(early, "Trial", Map.of("action", "commit")).text()).startsWith("Committed: 1 change");
		assertThat(this.directory.resolve("new")).hasContent("x");
	}

	@Test
	void discardEndsTheCommandsOfTheTrialOnly() throws Exception {
		ToolContext early = early();
		call("Bash", Map.of("command", "sleep 600", "run_in_background", true));
		call("Bash", Map.of("command", "sleep 500", "run_in_background", true, "trial", true));
		assertThat(call(early, "Trial", Map.of("action", "discard")).text()).startsWith("Discarded");
		AgentSession session = early.session();
		assertThat(session.commands()).isNotNull();
		assertThat(session.commands().list()).filteredOn((command) -> command.exit() == null)
			.extracting((command) -> command.title())
			.containsExactly("sleep 600");
	}

	@Test
	void commandInATrialNeverRunsInTheWorkspace() {
		ToolContext early = early();
		call("Trial", Map.of("action", "begin"));
		ToolResult result = call(early, "Bash", Map.of("command", "echo x > new", "trial", true));
		assertThat(result.error()).isNotNull();
		assertThat(result.error().code()).isEqualTo("conflict");
		assertThat(this.directory.resolve("new")).doesNotExist();
	}

	@Test
	void discardDuringACommitSaysThatThereIsNoTrial() throws Exception {
		CountDownLatch committing = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		this.sessions.close();
		this.sessions = sessions((workspace) -> new PausedFiles(
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS).open(workspace), committing, go));
		call("Trial", Map.of("action", "begin"));
		Files.writeString(copy().resolve("new"), "x");
		CompletableFuture<ToolResult> commit = CompletableFuture
			.supplyAsync(() -> call("Trial", Map.of("action", "commit")));
		assertThat(committing.await(30, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<ToolResult> discard = CompletableFuture
			.supplyAsync(() -> call("Trial", Map.of("action", "discard")));
		await().pollDelay(Duration.ofMillis(200)).until(() -> !discard.isDone());
		go.countDown();
		assertThat(commit.get(30, TimeUnit.SECONDS).text()).startsWith("Committed: 1 change");
		assertThat(discard.get(30, TimeUnit.SECONDS).text()).isEqualTo("There was no trial to discard.");
		assertThat(this.directory.resolve("new")).hasContent("x");
	}

	private Path copy() {
		return this.sessions.callInSession(ALICE, "one",
				(context) -> context.files().location(context.files().root().root()));
	}

	@Test
	void directoryOfTheCopyIsNotNamedWhereThatOfTheWorkspaceIsNot() {
		assertThat(call("Trial", Map.of("action", "begin")).text()).contains(this.temp.toString());
		this.sessions.close();
		this.sessions = sessions(LocalFilesOptions.DEFAULTS.withPathPolicy(PathPolicy.LOGICAL));
		assertThat(call("Trial", Map.of("action", "begin")).text()).startsWith("The trial has begun")
			.doesNotContain(this.temp.toString());
	}

	@Test
	void whatIsLeftOutIsNamed() throws IOException {
		assumeThat(System.getProperty("user.name")).as("SKIPPED: root may read everything").isNotEqualTo("root");
		for (int i = 0; i < 23; i++) {
			Path file = Files.createFile(this.directory.resolve("f" + (char) ('a' + i)));
			assertThat(file.toFile().setReadable(false)).isTrue();
		}
		String named = "(not in the copy, since the application may not read it, and kept by a commit: 'fa', 'fb', ";
		assertThat(call("Trial", Map.of("action", "begin")).text()).contains(named).endsWith("'ft' and 3 more)");
		assertThat(call("Trial", Map.of("action", "changes")).text()).contains("nothing was changed", named);
		call("Bash", Map.of("command", "echo x > new"));
		assertThat(call("Trial", Map.of("action", "changes")).text()).contains("created\tnew", named);
		assertThat(call("Trial", Map.of("action", "commit")).text()).startsWith("Committed: 1 change");
		assertThat(call("Bash", Map.of("command", "true", "trial", true)).text()).contains(named.substring(1));
	}

	@Test
	void descriptionHasNoIndentation() {
		assertThat(new TrialTool().definition().description()).doesNotContain("\t");
	}

	/**
	 * Files whose changes wait.
	 */
	private static final class PausedFiles extends ForwardingWorkspaceFiles {

		private final CountDownLatch reached;

		private final CountDownLatch go;

		PausedFiles(WorkspaceFiles delegate, CountDownLatch reached, CountDownLatch go) {
			super(delegate);
			this.reached = reached;
			this.go = go;
		}

		@Override
		public WorkspaceFiles relocated(Map<Path, Path> directories) {
			return new PausedFiles(Objects.requireNonNull(delegate().relocated(directories)), this.reached, this.go);
		}

		@Override
		public WorkspaceFiles including(Path further) {
			return new PausedFiles(Objects.requireNonNull(delegate().including(further)), this.reached, this.go);
		}

		@Override
		public WorkspaceResult<ChangeReport> apply(WorkspaceChange change) {
			this.reached.countDown();
			try {
				assertThat(this.go.await(30, TimeUnit.SECONDS)).isTrue();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return delegate().apply(change);
		}

	}

}

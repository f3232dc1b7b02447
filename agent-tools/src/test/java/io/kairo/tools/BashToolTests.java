package io.kairo.tools;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.api.workspace.WorkspaceKind;
import io.kairo.api.workspace.WorkspaceRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link BashTool}, with processes of the host.
 */
@Timeout(60)
class BashToolTests {

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	@TempDir
	Path directory;

	private Workspace workspace;

	private ToolContext context;

	@BeforeEach
	void openWorkspace() {
		this.workspace = new LocalDirectoryWorkspaceProvider(this.directory).acquire(WorkspaceRequest.writable(null));
		this.context = ToolContext.builder(this.workspace).sandbox(this.sandbox).build();
	}

	@AfterEach
	void closeSandbox() {
		this.sandbox.close();
	}

	@Nested
	class Outcomes {

		@Test
		void outputAndExitCodeOfACommandThatSucceeds() {
			ToolResult result = bash("echo out; echo err >&2");
			assertThat(result.text().lines()).containsExactlyInAnyOrder("out", "err");
			assertThat(result.error()).isNull();
			assertThat(result.data()).containsEntry("exitCode", 0)
				.containsEntry("timedOut", false)
				.containsKey("durationMs");
		}

		@Test
		void exitCodeThatIsNotZeroIsNoError() {
			ToolResult result = bash("echo no match; exit 1");
			assertThat(result.error()).isNull();
			assertThat(result.text()).isEqualTo("no match\n(exit code 1)");
			assertThat(result.data()).containsEntry("exitCode", 1);
		}

		@Test
		void noOutputIsSaidAsSuch() {
			assertThat(bash("true").text()).isEqualTo("(no output)");
		}

		@Test
		void signalIsNamed() {
			ToolResult result = bash("kill -SEGV $$");
			assertThat(result.data()).containsEntry("signal", "SIGSEGV");
			assertThat(result.text()).isEqualTo("(no output)\n(exit code 139, as after SIGSEGV)");
		}

		@Test
		void brokenPipeIsExplained() {
			assertThat(bash("exit 141").text()).contains("SIGPIPE");
		}

		@ParameterizedTest
		@ValueSource(strings = { "grep nothing /dev/null", "echo a | grep b", "true; git grep --no-index xyzzy" })
		void searchThatFoundNothingIsSaidAsSuch(String command) {
			assertThat(bash(command).text()).endsWith("(exit code 1: no match)");
		}

		@Test
		void failureOfAnotherCommandIsNotTakenForASearch() {
			assertThat(bash("grep -c x /dev/null; false").text()).endsWith("(exit code 1)");
		}

		@Test
		void timeoutKeepsWhatWasPrinted() {
			ToolResult result = bash(Map.of("command", "echo early; sleep 30; echo late", "timeout", 500));
			assertThat(result.text()).startsWith("early\n(timed out after 500 ms");
			assertThat(result.data()).containsEntry("timedOut", true).containsEntry("exitCode", -1);
		}

		@Test
		void timeoutAboveTheMaximumIsReducedAndSaidSo() {
			BashTool tool = new BashTool(new BashOptions(Duration.ofSeconds(1), Duration.ofSeconds(2), 1000, 1000));
			ToolResult result = tool.call(Map.of("command", "true", "timeout", 5000), BashToolTests.this.context);
			assertThat(result.text()).contains("timeout reduced to the maximum of 2,000 ms");
		}

		@Test
		void standardInputIsEmpty() {
			assertThat(bash("cat; echo done").text()).isEqualTo("done");
		}

		@Test
		void programsAreToldThatNobodyIsAtTheTerminal() {
			assertThat(bash("echo $TERM $NO_COLOR $CI $PAGER $GIT_TERMINAL_PROMPT $LC_ALL").text())
				.isEqualTo("dumb 1 1 cat 0 C.UTF-8");
		}

		@Test
		void whatIsLeftRunningIsEndedAndSaidSo() {
			ToolResult result = bash("sleep 60 & echo started");
			assertThat(result.text()).startsWith("started\n").contains("processes that it left running were ended: 1");
		}

	}

	@Nested
	class Output {

		@Test
		void longOutputKeepsBeginningAndEnd() {
			ToolResult result = bash("seq 1 100000");
			assertThat(result.text()).startsWith("1\n2\n3\n").contains("characters left out").endsWith("99999\n100000");
			assertThat(result.text().length()).isBetween(29_900, 30_100);
			assertThat(result.complete().complete()).isFalse();
		}

		@Test
		void outputBeyondWhatTheSandboxKeepsIsCounted() {
			BashTool tool = new BashTool(new BashOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), 1000, 500));
			ToolResult result = tool.call(Map.of("command", "seq 1 100000"), BashToolTests.this.context);
			assertThat(result.text()).startsWith("1\n2\n")
				.contains("99999\n100000")
				.contains("bytes of output were not kept");
			assertThat(result.data()).containsEntry("truncated", true).containsEntry("discardedBytes", 588_895L - 1500);
		}

		@Test
		void progressBarComesOutAsItLookedLast() {
			assertThat(bash("printf '\\033[32m10%%\\r50%%\\r100%%\\033[0m\\n'").text()).isEqualTo("100%");
		}

		@Test
		void listenerThatFailsCostsNobodyTheOutput() {
			ToolContext context = ToolContext.builder(BashToolTests.this.workspace)
				.sandbox(BashToolTests.this.sandbox)
				.progress((progress) -> {
					throw new IllegalStateException("gone");
				})
				.build();
			assertThat(new BashTool().call(Map.of("command", "echo a; sleep 1.2; echo b"), context).text())
				.isEqualTo("a\nb");
		}

		@Test
		void progressIsReportedWhileACommandRuns() {
			List<ToolProgress> progress = new ArrayList<>();
			ToolContext context = ToolContext.builder(BashToolTests.this.workspace)
				.sandbox(BashToolTests.this.sandbox)
				.progress(progress::add)
				.build();
			new BashTool().call(Map.of("command", "for i in 1 2 3 4 5 6 7 8; do echo $i; sleep 0.3; done"), context);
			assertThat(progress).isNotEmpty();
			assertThat(progress).isSortedAccordingTo(java.util.Comparator.comparingLong(ToolProgress::amount));
		}

	}

	@Nested
	class Directory {

		@Test
		void changeOfDirectoryLastsForTheNextCallOfEveryTool() throws Exception {
			Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			Files.writeString(BashToolTests.this.directory.resolve("sub/a.txt"), "below\n");
			ToolResult result = bash("cd sub");
			String sub = BashToolTests.this.directory.resolve("sub").toString();
			assertThat(result.text()).contains("current directory: " + sub);
			assertThat(result.data()).containsEntry("currentDirectory", sub);
			assertThat(bash("cat a.txt").text()).isEqualTo("below");
			assertThat(new ReadTool().call(Map.of("file_path", "a.txt"), BashToolTests.this.context).text())
				.contains("below");
		}

		@Test
		void addedDirectoryIsPartOfTheWorkspace(@TempDir Path added) {
			Workspace workspace = new LocalDirectoryWorkspaceProvider(BashToolTests.this.directory, List.of(added))
				.acquire(WorkspaceRequest.writable(null));
			ToolContext context = ToolContext.builder(workspace).sandbox(BashToolTests.this.sandbox).build();
			ToolResult result = new BashTool().call(Map.of("command", "cd '" + added + "'"), context);
			assertThat(result.data()).containsEntry("currentDirectory", added.toString());
			assertThat(new BashTool().call(Map.of("command", "pwd"), context).text()).isEqualTo(added.toString());
		}

		@Test
		void directoryOutsideTheWorkspaceIsNotKept() {
			ToolResult result = bash("cd /; pwd");
			assertThat(result.text()).startsWith("/\n").contains("outside the workspace");
			assertThat(bash("pwd").text()).isEqualTo(BashToolTests.this.directory.toString());
		}

		@Test
		void directoryOutsideTheWorkspaceCarriesCommandsWhereThatIsWanted(@TempDir Path parent) throws Exception {
			Path outside = Files.createDirectory(parent.toRealPath().resolve("outside"));
			Files.writeString(outside.resolve("a.txt"), "secret");
			Path sub = Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			Files.writeString(sub.resolve("a.txt"), "inside");
			BashTool leaving = leaving();
			run(leaving, "cd sub");
			ToolResult left = run(leaving, "cd '" + outside + "'");
			assertThat(left.text()).contains("commands now start where this one ended", "start in '" + sub + "'");
			assertThat(left.data()).containsEntry("currentDirectory", sub.toString())
				.containsEntry("commandsStartOutside", true);
			assertThat(run(leaving, "pwd").text()).isEqualTo(outside.toString());
			assertThat(new ReadTool().call(Map.of("file_path", "a.txt"), BashToolTests.this.context).text())
				.contains("inside")
				.doesNotContain("secret");
			ToolResult back = run(leaving, "cd '" + sub + "'");
			assertThat(back.data()).doesNotContainKey("commandsStartOutside");
			assertThat(run(leaving, "pwd").text()).isEqualTo(sub.toString());
		}

		@Test
		void directoryOutsideTheWorkspaceThatIsGoneIsReplacedByTheRoot(@TempDir Path parent) throws Exception {
			Path outside = Files.createDirectory(parent.resolve("outside"));
			run(leaving(), "cd '" + outside + "'");
			Files.delete(outside);
			assertThat(run(leaving(), "pwd").text()).startsWith(BashToolTests.this.directory + "\n")
				.contains("the current directory is gone");
			assertThat(run(leaving(), "pwd").text()).isEqualTo(BashToolTests.this.directory.toString());
		}

		@Test
		void directoryOutsideTheWorkspaceIsNotKeptWhereCommandsAreConfined() throws Exception {
			Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			ToolContext confined = ToolContext.builder(BashToolTests.this.workspace).sandbox(new ExecutionSandbox() {

				@Override
				public SandboxHandle start(SandboxRequest request) {
					return BashToolTests.this.sandbox.start(request);
				}

				@Override
				public SandboxCapabilities capabilities() {
					return SandboxCapabilities.of("confining", Set.of(SandboxCapability.FILE_CONFINEMENT), Map.of());
				}

			}).build();
			leaving().call(Map.of("command", "cd sub"), confined);
			assertThat(leaving().call(Map.of("command", "cd /"), confined).text()).contains("is the workspace root");
			assertThat(leaving().call(Map.of("command", "pwd"), confined).text())
				.isEqualTo(BashToolTests.this.directory.toString());
		}

		private BashTool leaving() {
			return new BashTool(new BashOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), 1000, 500,
					LeavingWorkspace.CARRIES_COMMANDS));
		}

		private ToolResult run(BashTool tool, String command) {
			return tool.call(Map.of("command", command), BashToolTests.this.context);
		}

		@Test
		void callThatEndsLaterDoesNotUndoTheChangeOfAnother() throws Exception {
			Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			CompletableFuture<ToolResult> slow = CompletableFuture
				.supplyAsync(() -> bash("touch started; while [ ! -e go ]; do sleep 0.05; done"));
			Awaitility.await().until(() -> BashToolTests.this.directory.resolve("started").toFile().exists());
			bash("cd sub; touch ../go");
			slow.get(20, TimeUnit.SECONDS);
			assertThat(bash("pwd").text()).isEqualTo(BashToolTests.this.directory.resolve("sub").toString());
		}

		@Test
		void addedDirectoryThatIsGoneIsReplacedByTheRoot(@TempDir Path parent) throws Exception {
			Path added = Files.createDirectory(parent.resolve("added"));
			Workspace workspace = new LocalDirectoryWorkspaceProvider(BashToolTests.this.directory, List.of(added))
				.acquire(WorkspaceRequest.writable(null));
			ToolContext context = ToolContext.builder(workspace).sandbox(BashToolTests.this.sandbox).build();
			new BashTool().call(Map.of("command", "cd '" + added + "'"), context);
			Files.delete(added);
			assertThat(new BashTool().call(Map.of("command", "pwd"), context).text())
				.startsWith(BashToolTests.this.directory + "\n")
				.contains("is gone");
		}

		@Test
		void addedDirectoryThatIsGoneIsNotMounted(@TempDir Path parent) throws Exception {
			Path there = Files.createDirectory(parent.toRealPath().resolve("there"));
			Path gone = Files.createDirectory(parent.toRealPath().resolve("gone"));
			Workspace workspace = new LocalDirectoryWorkspaceProvider(BashToolTests.this.directory,
					List.of(gone, there))
				.acquire(WorkspaceRequest.writable(null));
			Files.delete(gone);
			List<SandboxRequest> requests = new ArrayList<>();
			ToolContext context = ToolContext.builder(workspace).sandbox(new ExecutionSandbox() {

				@Override
				public SandboxHandle start(SandboxRequest request) {
					requests.add(request);
					return BashToolTests.this.sandbox
						.start(new SandboxRequest.Builder(request.command(), request.workspaceRoot()).build());
				}

				@Override
				public SandboxCapabilities capabilities() {
					return SandboxCapabilities.of("mounting", Set.of(SandboxCapability.MOUNTS), Map.of());
				}

			}).build();
			new BashTool().call(Map.of("command", "true"), context);
			assertThat(requests.get(0).attributes().mounts()).extracting((mount) -> mount.source())
				.containsExactly(there);
		}

		@Test
		void directoryThatIsGoneIsReplacedByTheRoot() throws Exception {
			Path sub = Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			bash("cd sub");
			Files.delete(sub);
			ToolResult result = bash("pwd");
			assertThat(result.text()).startsWith(BashToolTests.this.directory + "\n").contains("is gone");
		}

		@Test
		void directoryOfACommandThatTimedOutIsNotKnownAndStays() throws Exception {
			Files.createDirectory(BashToolTests.this.directory.resolve("sub"));
			bash(Map.of("command", "cd sub; sleep 20", "timeout", 300));
			assertThat(bash("pwd").text()).isEqualTo(BashToolTests.this.directory.toString());
		}

	}

	@Nested
	class Ending {

		@Test
		void cancellationEndsTheCommand() throws Exception {
			Cancellation cancellation = new Cancellation();
			ToolContext context = ToolContext.builder(BashToolTests.this.workspace)
				.sandbox(BashToolTests.this.sandbox)
				.cancellation(cancellation)
				.build();
			CompletableFuture<ToolResult> call = CompletableFuture
				.supplyAsync(() -> new BashTool().call(Map.of("command", "touch started; sleep 50"), context));
			awaitStart();
			cancellation.cancel();
			ToolResult result = call.get(10, TimeUnit.SECONDS);
			assertThat(result.error().code()).isEqualTo("cancelled");
		}

		@Test
		void interruptEndsTheCommandAndStays() throws Exception {
			AtomicReference<ToolResult> result = new AtomicReference<>();
			AtomicReference<Boolean> interrupted = new AtomicReference<>();
			Thread caller = new Thread(() -> {
				result.set(bash("touch started; sleep 50"));
				interrupted.set(Thread.currentThread().isInterrupted());
			});
			caller.start();
			awaitStart();
			caller.interrupt();
			caller.join(10_000);
			assertThat(result.get().error().code()).isEqualTo("cancelled");
			assertThat(interrupted.get()).isTrue();
		}

		private void awaitStart() {
			Awaitility.await().until(() -> BashToolTests.this.directory.resolve("started").toFile().exists());
		}

	}

	@Nested
	class Refusals {

		@Test
		void blankCommandIsRefused() {
			assertThat(call(Map.of("command", " ")).error().code()).isEqualTo("invalid_arguments");
		}

		@Test
		void readOnlyWorkspaceIsRefusedWhereTheSandboxCannotSeeToIt() {
			ToolContext context = ToolContext.builder(readOnlyWorkspace()).sandbox((request) -> {
				assertThat(request.readOnly()).isTrue();
				throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "no", "use another sandbox");
			}).build();
			assertThat(touch(context).error().code()).isEqualTo("unsupported_request");
		}

		@Test
		void readOnlyWorkspaceIsNotWrittenTo() {
			ToolResult result = touch(
					ToolContext.builder(readOnlyWorkspace()).sandbox(BashToolTests.this.sandbox).build());
			assertThat(BashToolTests.this.directory.resolve("x")).doesNotExist();
			if (BashToolTests.this.sandbox.capabilities().has(SandboxCapability.READ_ONLY)) {
				assertThat(result.text()).contains("Read-only file system");
			}
			else {
				assertThat(result.error().code()).isEqualTo("unsupported_request");
			}
		}

		private Workspace readOnlyWorkspace() {
			return new LocalDirectoryWorkspaceProvider(BashToolTests.this.directory)
				.acquire(WorkspaceRequest.readOnly(null));
		}

		private ToolResult touch(ToolContext context) {
			return ToolCatalog.of(List.of(new BashTool()), List.of())
				.call(new ToolCall("", "Bash", Map.of("command", "touch x")), context);
		}

		@Test
		void workspaceThatIsNotOnDiskIsRefused() {
			ToolContext context = ToolContext.builder(new NamedWorkspace()).files(new NoFiles()).build();
			ToolResult result = new BashTool().call(Map.of("command", "ls"), context);
			assertThat(result.error().code()).isEqualTo("unsupported_file_type");
		}

		private ToolResult call(Map<String, Object> arguments) {
			return ToolCatalog.of(List.of(new BashTool()), List.of())
				.call(new ToolCall("", "Bash", arguments), BashToolTests.this.context);
		}

	}

	private ToolResult bash(String command) {
		return bash(Map.of("command", command));
	}

	private ToolResult bash(Map<String, Object> arguments) {
		return new BashTool().call(arguments, this.context);
	}

	private record NamedWorkspace() implements Workspace {

		@Override
		public String id() {
			return "memory:x";
		}

		@Override
		public Path root() {
			return Path.of("/memory");
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.EPHEMERAL;
		}

		@Override
		public Map<String, String> metadata() {
			return Map.of();
		}

		@Override
		public boolean onDisk() {
			return false;
		}

	}

}

package io.kairo.tools.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

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
import io.kairo.api.workspace.WritePolicy;
import io.kairo.tools.NoFiles;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the results and refusals of {@link BashTool}.
 */
@Timeout(60)
class BashToolTests extends BashFixture {

	@Nested
	class Outcomes {

		@Test
		void successfulCommandReturnsOutputAndExitCode() {
			ToolResult result = bash("echo out; echo err >&2");
			assertThat(result.text().lines()).containsExactlyInAnyOrder("out", "err");
			assertThat(result.error()).isNull();
			assertThat(result.data()).containsEntry("exitCode", 0)
				.containsEntry("timedOut", false)
				.containsKey("durationMs");
		}

		@Test
		void nonZeroExitCodeIsNotAnError() {
			ToolResult result = bash("echo no match; exit 1");
			assertThat(result.error()).isNull();
			assertThat(result.text()).isEqualTo("no match\n(exit code 1)");
			assertThat(result.data()).containsEntry("exitCode", 1);
		}

		@Test
		void missingOutputIsReported() {
			assertThat(bash("true").text()).isEqualTo("(no output)");
		}

		@Test
		void signalThatEndsCommandIsNamed() {
			ToolResult result = bash("kill -SEGV $$");
			assertThat(result.data()).containsEntry("signal", "SIGSEGV");
			assertThat(result.text()).isEqualTo("(no output)\n(exit code 139, as after SIGSEGV)");
		}

		@Test
		void brokenPipeIsExplained() {
			assertThat(bash("exit 141").text()).contains("SIGPIPE");
		}

		@ParameterizedTest
		@ValueSource(strings = { "grep nothing /dev/null", "echo a | grep b", "git() { return 1; }; git grep xyzzy" })
		void searchWithoutMatchIsReported(String command) {
			assertThat(bash(command).text()).endsWith("(exit code 1: no match)");
		}

		@Test
		void failureOfOtherCommandIsNotReportedAsSearchWithoutMatch() {
			assertThat(bash("grep -c x /dev/null; false").text()).endsWith("(exit code 1)");
		}

		@Test
		void timeoutKeepsOutputPrintedBefore() {
			ToolResult result = bash(Map.of("command", "echo early; sleep 30; echo late", "timeout", 500));
			assertThat(result.text()).startsWith("early\n(timed out after 500 ms");
			assertThat(result.data()).containsEntry("timedOut", true).containsEntry("exitCode", -1);
		}

		@Test
		void timeoutAboveMaximumIsReducedAndReported() {
			BashTool tool = new BashTool(new BashOptions(Duration.ofSeconds(1), Duration.ofSeconds(2), 1000, 1000));
			ToolResult result = tool.call(Map.of("command", "true", "timeout", 5000), BashToolTests.this.context);
			assertThat(result.text()).contains("timeout reduced to the maximum of 2,000 ms");
		}

		@Test
		void tenantHasBoundsOfItsOwn() {
			BashTool tool = new BashTool(BashOptions.defaults(), ToolNaming.CLAUDE,
					Map.of("default", new BashOptions(Duration.ofMillis(500), Duration.ofMillis(600), 1000, 1000)));
			assertThat(tool.call(Map.of("command", "sleep 30"), BashToolTests.this.context).text())
				.contains("timed out after 500 ms");
			assertThat(tool.call(Map.of("command", "true", "timeout", 5000), BashToolTests.this.context).text())
				.contains("timeout reduced to the maximum of 600 ms");
		}

		@Test
		void standardInputOfCommandIsEmpty() {
			assertThat(bash("cat; echo done").text()).isEqualTo("done");
		}

		@Test
		void environmentAnnouncesNonInteractiveTerminal() {
			assertThat(bash("echo $TERM $NO_COLOR $CI $PAGER $GIT_TERMINAL_PROMPT $LC_ALL").text())
				.isEqualTo("dumb 1 1 cat 0 C.UTF-8");
		}

		@Test
		void variablesThatLookMeantToLastArePointedOut() {
			assertThat(bash("export KEPT=1").text()).isEqualTo(
					"(no output)\n(the shell has ended, and its variables with it: set them in each command that needs them)");
			assertThat(bash("echo ${KEPT-none}").text()).isEqualTo("none");
			assertThat(bash("export KEPT=1; (exit 3)").text()).isEqualTo("(no output)\n(exit code 3)");
		}

		@ParameterizedTest
		@CsvSource({ "false, '(exit code 1; git config --global lasts no longer than the session: leave out --global)'",
				"true, '(exit code 1; git config cannot change the repository: name the author with the command, as in "
						+ "git -c user.name=NAME -c user.email=EMAIL commit)'" })
		void adviceOfGitThatCannotWorkIsCorrected(boolean kept, String note) {
			ExecutionSandbox sandbox = new ExecutionSandbox() {

				@Override
				public SandboxHandle start(SandboxRequest request) {
					assertThat(request.attributes().protectedPaths().contains(".git/config")).isEqualTo(kept);
					return BashToolTests.this.sandbox
						.start(new SandboxRequest.Builder(request.command(), request.workspaceRoot()).build());
				}

				@Override
				public SandboxCapabilities capabilities() {
					return SandboxCapabilities.of("confined",
							kept ? Set.of(SandboxCapability.PROTECTED_PATHS, SandboxCapability.FILE_CONFINEMENT)
									: Set.of(SandboxCapability.FILE_CONFINEMENT),
							Map.of());
				}

			};
			LocalFilesOptions options = LocalFilesOptions.DEFAULTS
				.withWritePolicy(new WritePolicy(false, List.of(".git/config"), List.of()));
			ToolContext context = otherSession().sandbox(sandbox)
				.files(new LocalWorkspaceFilesFactory(options).open(BashToolTests.this.context.currentWorkspace()))
				.build();
			String command = "echo 'Author identity unknown'; false";
			assertThat(new BashTool().call(Map.of("command", command), context).text())
				.isEqualTo("Author identity unknown\n" + note);
			assertThat(bash(command).text()).endsWith("\n(exit code 1)");
		}

		@Test
		void leftoverProcessesAreEndedAndReported() {
			ToolResult result = bash("sleep 60 & echo started");
			assertThat(result.text()).startsWith("started\n").contains("processes that it left running were ended: 1");
		}

	}

	@Nested
	class Refusals {

		@Test
		void blankCommandIsRejected() {
			assertThat(call(Map.of("command", " ")).error().code()).isEqualTo("invalid_arguments");
		}

		@Test
		void readOnlyWorkspaceIsRejectedWhenSandboxCannotEnforceIt() {
			ToolContext context = ToolContext.builder(readOnlyWorkspace()).sandbox((request) -> {
				assertThat(request.readOnly()).isTrue();
				throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST, "no", "use another sandbox");
			}).build();
			assertThat(touch(context).error().code()).isEqualTo("unsupported_request");
		}

		@Test
		void commandDoesNotWriteToReadOnlyWorkspace() {
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
		void workspaceWithoutLocalDirectoryIsRejected() {
			ToolContext context = ToolContext.builder(new NamedWorkspace()).files(new NoFiles()).build();
			ToolResult result = new BashTool().call(Map.of("command", "ls"), context);
			assertThat(result.error().code()).isEqualTo("unsupported_file_type");
		}

		private ToolResult call(Map<String, Object> arguments) {
			return ToolCatalog.of(List.of(new BashTool()), List.of())
				.call(new ToolCall("", "Bash", arguments), BashToolTests.this.context);
		}

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

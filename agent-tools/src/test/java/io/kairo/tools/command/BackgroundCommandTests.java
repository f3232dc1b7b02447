package io.kairo.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import io.kairo.api.tenant.TenantContext;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.Cancellation;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolProgress;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.file.FileToolsFixture;
import io.kairo.tools.file.ReadTool;
import io.kairo.tools.output.OutputOptions;
import io.kairo.tools.output.OutputStore;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import io.kairo.workspace.local.LocalFilesOptions;
import io.kairo.workspace.local.disk.LocalWorkspaceFilesFactory;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for commands in the background: {@link BashTool}, {@link BashOutputTool},
 * {@link BashInputTool}, {@link KillBashTool} and {@link BashListTool}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class BackgroundCommandTests {

	private static final TenantContext ALICE = new TenantContext("acme", "alice");

	private static final TenantContext BOB = new TenantContext("globex", "bob");

	private static final long LONG = 60_000;

	private final ToolCatalog catalog = ToolCatalog
		.of(List.of(new BashTool(new BashOptions(Duration.ofMinutes(2), Duration.ofMinutes(10), 200_000, 1000)),
				new BashOutputTool(Duration.ofMinutes(2), Duration.ofMinutes(10), ToolNaming.CLAUDE,
						Duration.ofMillis(50)),
				new BashInputTool(ToolNaming.CLAUDE, Duration.ofMillis(300)), new KillBashTool(), new BashListTool(),
				new ReadTool()), List.of());

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	@TempDir
	Path directory;

	@TempDir
	Path state;

	private AgentSessions sessions;

	@BeforeEach
	void openSessions() {
		this.sessions = sessions(Duration.ofHours(1), new BackgroundOptions(2, 3, 2, Duration.ofMinutes(5)));
	}

	@AfterEach
	void closeSessions() {
		this.sessions.close();
		this.sandbox.close();
	}

	private AgentSessions sessions(Duration idleTimeout, BackgroundOptions options) {
		return new AgentSessions(new LocalDirectoryWorkspaceProvider(this.directory),
				new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS), this.sandbox,
				new SessionBounds(idleTimeout, 100), SessionDefaults.NONE,
				new OutputStore(this.state, OutputOptions.defaults(), Clock.systemUTC()),
				new BackgroundCommands(options));
	}

	private ToolResult call(TenantContext tenant, @Nullable String session, String tool, Map<String, Object> arguments,
			Cancellation cancellation, List<ToolProgress> progress) {
		return this.sessions.call(SessionRequest.of(tenant, session), this.catalog, new ToolCall("1", tool, arguments),
				(context) -> context.cancellation(cancellation).progress(progress::add));
	}

	private ToolResult call(TenantContext tenant, @Nullable String session, String tool,
			Map<String, Object> arguments) {
		return call(tenant, session, tool, arguments, new Cancellation(), new CopyOnWriteArrayList<>());
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		return call(ALICE, "1", tool, arguments);
	}

	private ToolResult begin(String command) {
		return call("Bash", Map.of("command", command, "run_in_background", true));
	}

	private String start(String command) {
		ToolResult result = begin(command);
		assertThat(result.error()).as(result.text()).isNull();
		return (String) result.data().get("id");
	}

	private ToolResult output(String id, Object... more) {
		Map<String, Object> arguments = new HashMap<>(Map.of("bash_id", id));
		for (int i = 0; i < more.length; i += 2) {
			arguments.put((String) more[i], more[i + 1]);
		}
		return call("BashOutput", arguments);
	}

	@Nested
	class Output {

		@Test
		void commandReturnsIdAtOnceAndItsOutputIsReturnedOnce() throws Exception {
			String id = start("echo one; while [ ! -e go ]; do sleep 0.02; done; echo two");
			ToolResult first = output(id, "wait_for", "^one$", "timeout", LONG);
			assertThat(first.text()).startsWith("one\n(" + id + ": running for ").contains("a line matches wait_for");
			assertThat(first.data()).containsEntry("running", true).containsEntry("found", true);
			assertThat(output(id).text()).startsWith("(no new output)\n");
			Files.createFile(BackgroundCommandTests.this.directory.resolve("go"));
			ToolResult last = output(id, "timeout", LONG);
			assertThat(last.text()).startsWith("two\n(" + id + ": ended after ").endsWith(": exit code 0)");
			assertThat(last.data()).containsEntry("running", false).containsEntry("exitCode", 0);
			assertThat(output(id).text()).startsWith("(no new output)\n")
				.endsWith(": exit code 0, as reported before)");
			assertThat(output(id, "from_start", true).text()).startsWith("one\ntwo\n");
		}

		@Test
		void waitForEndsAtPromptWithoutLineEnd() {
			String id = start("printf 'name> '; read n; echo hello $n");
			assertThat(output(id, "wait_for", "> $", "timeout", LONG).data()).containsEntry("found", true);
		}

		@Test
		void waitForEndsWithCommand() {
			String id = start("echo one; exit 3");
			ToolResult result = output(id, "wait_for", "never", "timeout", LONG);
			assertThat(result.text()).contains("exit code 3").contains("no line matches wait_for");
			assertThat(result.data()).containsEntry("found", false).containsEntry("exitCode", 3);
		}

		@Test
		void waitEndsAtTimeout() {
			String id = start("echo one; sleep 60");
			ToolResult result = output(id, "wait_for", "never", "timeout", 100);
			assertThat(result.data()).containsEntry("found", false).containsEntry("running", true);
		}

		@Test
		void filterReturnsMatchingLinesAndCountsOthersAsRead() {
			String id = start("seq 1 1000; printf '\\033[31merror\\033[0m: x\\n'");
			assertThat(output(id, "timeout", LONG, "filter", "^(77|error.*)$").text()).startsWith("77\nerror: x\n(");
			assertThat(output(id).text()).startsWith("(no new output)");
			assertThat(output(id, "filter", "zzz", "from_start", true).text())
				.startsWith("(no line of the new output matches the filter)");
		}

		@Test
		void patternOfExponentialTimeIsAppliedInLinearTime() {
			String id = start("head -c 30000 /dev/zero | tr '\\0' a");
			assertThat(output(id, "timeout", LONG, "filter", "(a*)*b").data()).containsEntry("running", false);
			assertThat(output(id, "filter", "(").error().code()).isEqualTo("invalid_arguments");
			assertThat(output(id, "filter", "(").text()).contains("filter: The pattern has a '('");
		}

		@Test
		void longOutputCanBeReadByName() {
			String id = start("seq 1 20000");
			ToolResult result = output(id, "timeout", LONG);
			assertThat(result.data()).containsEntry("output", "@output/1");
			assertThat(call("Read", Map.of("file_path", "@output/1", "offset", 10_000, "limit", 1)).text())
				.startsWith(" 10000\t10000\n");
		}

		@Test
		void outputBeyondBoundIsCountedAndItsEndIsKept() {
			String id = start("seq 1 200000");
			ToolResult result = output(id, "timeout", LONG);
			assertThat(result.text()).contains("\n200000\n").contains("bytes of output were not kept");
			assertThat((Long) result.data().get("discardedBytes")).isGreaterThan(900_000);
			assertThat(result.complete().complete()).isFalse();
		}

		@Test
		void commandThatNeverStopsPrintingDelaysNoCall() {
			String id = start("while true; do echo x; sleep 0.005; done");
			assertThat(output(id).data()).containsEntry("running", true);
			assertThat(output(id, "wait_for", "x").data()).containsEntry("found", true);
		}

		@Test
		void cancelledCallLeavesCommandAndOutput() throws Exception {
			String id = start("echo one; sleep 60");
			output(id, "wait_for", "one", "timeout", LONG, "filter", "zzz");
			Cancellation cancellation = new Cancellation();
			List<ToolProgress> progress = new CopyOnWriteArrayList<>();
			CompletableFuture<ToolResult> call = CompletableFuture.supplyAsync(() -> call(ALICE, "1", "BashOutput",
					Map.of("bash_id", id, "wait_for", "never", "from_start", true, "timeout", LONG), cancellation,
					progress));
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !progress.isEmpty());
			assertThat(progress.get(0).message()).contains("bytes of output");
			cancellation.cancel();
			assertThat(call.get(30, TimeUnit.SECONDS).error().code()).isEqualTo("cancelled");
			assertThat(output(id, "from_start", true).text()).startsWith("one\n").contains("running");
		}

	}

	@Nested
	class InputAndEnd {

		@Test
		void inputReachesCommandUntilItIsClosed() {
			String id = start("while read n; do echo hello $n; done; echo bye");
			assertThat(call("BashInput", Map.of("bash_id", id, "text", "Zo\u00eb\n")).data()).containsEntry("bytes", 5)
				.containsEntry("taken", true);
			assertThat(output(id, "wait_for", "hello Zo\u00eb", "timeout", LONG).data()).containsEntry("found", true);
			call("BashInput", Map.of("bash_id", id, "close", true));
			assertThat(output(id, "timeout", LONG).text()).startsWith("bye\n").contains("exit code 0");
			assertThat(call("BashInput", Map.of("bash_id", id, "text", "x")).error().code()).isEqualTo("input_closed");
			assertThat(call("BashInput", Map.of("bash_id", id)).error().code()).isEqualTo("invalid_arguments");
		}

		@Test
		void commandThatMayWaitForInputIsPointedOut() {
			String note = "its standard input is open and empty: if it waits for input, BashInput answers it, or ends it with close";
			String silent = start("cat; echo end");
			assertThat(output(silent).text()).startsWith("(no output)\n").contains(note);
			call("BashInput", Map.of("bash_id", silent, "close", true));
			assertThat(output(silent, "timeout", LONG).text()).startsWith("end\n").doesNotContain(note);
			String asking = start("printf 'Go on? '; read answer; echo $answer; read more");
			assertThat(output(asking, "wait_for", "Go on").text()).startsWith("Go on? \n").contains(note);
			assertThat(output(asking).text()).startsWith("(no new output)").doesNotContain(note);
			call("BashInput", Map.of("bash_id", asking, "text", "yes\n"));
			assertThat(output(asking, "wait_for", "yes").text()).startsWith("yes\n").doesNotContain(note);
			call("KillBash", Map.of("bash_id", asking));
		}

		@Test
		void commandThatDoesNotReadDelaysNoCall() {
			String id = start("sleep 60");
			Map<String, Object> much = Map.of("bash_id", id, "text", "x".repeat(1 << 20));
			assertThat(call("BashInput", much).data()).containsEntry("taken", false);
			assertThat(call("BashInput", much).error().code()).isEqualTo("input_closed");
			assertThat(call("KillBash", Map.of("bash_id", id)).data()).containsEntry("running", false);
		}

		@Test
		void killEndsCommandWithItsTreeAndKeepsOutput() {
			String id = start("echo one; (setsid sh -c 'while :; do touch alive; sleep 0.05; done' &) ; sleep 60");
			output(id, "wait_for", "one", "timeout", LONG, "filter", "zzz");
			Path alive = BackgroundCommandTests.this.directory.resolve("alive");
			Awaitility.await().until(() -> Files.exists(alive));
			ToolResult killed = call("KillBash", Map.of("bash_id", id));
			assertThat(killed.text()).contains("ended on request");
			assertThat(killed.data()).containsEntry("signal", "CANCELLED");
			deleted(alive);
			assertThat(call("KillBash", Map.of("bash_id", id)).text()).contains("had ended before");
			assertThat(output(id, "from_start", true).text()).startsWith("one\n");
		}

		@Test
		void commandEndsAfterItsLifetime() {
			ToolResult begun = call("Bash", Map.of("command", "sleep 60", "run_in_background", true, "timeout", 100L));
			ToolResult result = output((String) begun.data().get("id"), "timeout", LONG);
			assertThat(result.data()).containsEntry("timedOut", true);
			assertThat(
					call("Bash", Map.of("command", "true", "run_in_background", true, "timeout", 10_000_000L)).text())
				.contains("timeout reduced to the maximum of 300,000 ms");
		}

		@Test
		void leftoverProcessesOfForegroundPointToBackground() {
			assertThat(call("Bash", Map.of("command", "sleep 60 & echo started")).text())
				.contains("processes that it left running were ended: 1", "run_in_background");
		}

		@Test
		void directoryOfSessionIsUsedAndNotChanged() throws Exception {
			Files.createDirectories(BackgroundCommandTests.this.directory.resolve("a/b"));
			call("Bash", Map.of("command", "cd a"));
			String id = start("pwd; cd b");
			assertThat(output(id, "timeout", LONG).text())
				.startsWith(BackgroundCommandTests.this.directory.toRealPath().resolve("a") + "\n");
			assertThat(call("Bash", Map.of("command", "basename $PWD")).text()).isEqualTo("a");
		}

	}

	@Nested
	class Bounds {

		@Test
		void sessionAndTenantRunLimitedNumberOfCommands() {
			String first = start("sleep 60");
			start("sleep 60");
			assertThat(begin("sleep 60").error().code()).isEqualTo("too_many_executions");
			assertThat(begin("sleep 60").text()).contains("2 commands run in the background of this session",
					"KillBash");
			Map<String, Object> one = Map.of("command", "sleep 60", "run_in_background", true);
			assertThat(call(ALICE, "2", "Bash", one).error()).isNull();
			assertThat(call(ALICE, "2", "Bash", one).text())
				.contains("3 commands run in the background of your sessions");
			assertThat(call(BOB, "2", "Bash", one).error()).isNull();
			call("KillBash", Map.of("bash_id", first));
			start("sleep 60");
		}

		@Test
		void oldestEndedCommandIsForgotten() {
			String first = start("echo 1");
			output(first, "timeout", LONG);
			String last = "";
			for (int i = 0; i < 2; i++) {
				last = start("echo 2");
				output(last, "timeout", LONG);
			}
			assertThat(output(first).error().code()).isEqualTo("unknown_command");
			assertThat(output(last).error()).isNull();
			assertThat((List<?>) call("BashList", Map.of()).data().get("commands")).hasSize(2);
		}

		@Test
		void otherSessionsSeeNothing() {
			String id = start("echo secret; sleep 60");
			for (TenantContext tenant : List.of(ALICE, BOB)) {
				String unknown = call(tenant, "2", "BashOutput", Map.of("bash_id", "bash_0")).text();
				for (String tool : List.of("BashOutput", "KillBash")) {
					ToolResult result = call(tenant, "2", tool, Map.of("bash_id", id));
					assertThat(result.text()).isEqualTo(unknown.replace("bash_0", id));
					assertThat(result.error().code()).isEqualTo("unknown_command");
				}
				assertThat(call(tenant, "2", "BashInput", Map.of("bash_id", id, "text", "x")).error().code())
					.isEqualTo("unknown_command");
				assertThat(call(tenant, "2", "BashList", Map.of()).text())
					.isEqualTo("This session has no background commands.");
			}
			assertThat(output(id).data()).containsEntry("running", true);
			assertThat(call("BashList", Map.of()).text()).startsWith(id + "  running for ")
				.endsWith("  echo secret; sleep 60");
		}

		@Test
		void callWithoutSessionStartsNothing() {
			ToolResult result = call(ALICE, null, "Bash", Map.of("command", "touch x", "run_in_background", true));
			assertThat(result.error().code()).isEqualTo("unsupported_request");
			assertThat(BackgroundCommandTests.this.directory.resolve("x")).doesNotExist();
		}

		@Test
		void commandsEndWithTheirSession() {
			start("while :; do touch alive; sleep 0.05; done");
			Path alive = BackgroundCommandTests.this.directory.resolve("alive");
			Awaitility.await().until(() -> Files.exists(alive));
			BackgroundCommandTests.this.sessions.end(ALICE, "1");
			deleted(alive);
			assertThat(call("BashList", Map.of()).text()).isEqualTo("This session has no background commands.");
		}

		@Test
		void endOfSessionEndsWaitingCall() throws Exception {
			String id = start("sleep 60");
			List<ToolProgress> progress = new CopyOnWriteArrayList<>();
			CompletableFuture<ToolResult> call = CompletableFuture.supplyAsync(() -> call(ALICE, "1", "BashOutput",
					Map.of("bash_id", id, "timeout", LONG), new Cancellation(), progress));
			Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> !progress.isEmpty());
			BackgroundCommandTests.this.sessions.end(ALICE, "1");
			assertThat(call.get(30, TimeUnit.SECONDS).data()).containsEntry("signal", "CANCELLED");
		}

		@Test
		void runningCommandKeepsSessionFromExpiry() {
			AgentSessions short1 = sessions(Duration.ofMillis(1), BackgroundOptions.defaults());
			BackgroundCommandTests.this.sessions.close();
			BackgroundCommandTests.this.sessions = short1;
			String id = start("while [ ! -e go ]; do sleep 0.02; done");
			long until = System.nanoTime() + Duration.ofMillis(50).toNanos();
			while (System.nanoTime() < until) {
				short1.expire();
			}
			assertThat(call("KillBash", Map.of("bash_id", id)).data()).containsEntry("running", false);
			Awaitility.await().until(() -> {
				short1.expire();
				return short1.list().isEmpty();
			});
		}

		@Test
		void closingSessionsEndsCommands() {
			start("while :; do touch alive; sleep 0.05; done");
			Path alive = BackgroundCommandTests.this.directory.resolve("alive");
			Awaitility.await().until(() -> Files.exists(alive));
			BackgroundCommandTests.this.sessions.close();
			deleted(alive);
		}

	}

	/**
	 * Asserts that no process creates a file again, although it did every 50 ms.
	 */
	private static void deleted(Path alive) {
		Awaitility.await().during(Duration.ofMillis(400)).atMost(Duration.ofSeconds(30)).until(() -> {
			boolean existed = Files.deleteIfExists(alive);
			return !existed;
		});
	}

	@Test
	void directSessionWithoutCommandsStartsNothing() {
		ToolContext context = ToolContext.builder(FileToolsFixture.workspace(this.directory))
			.sandbox(this.sandbox)
			.build();
		assertThat(new BashTool().call(Map.of("command", "true", "run_in_background", true), context).error().code())
			.isEqualTo("unsupported_request");
	}

}

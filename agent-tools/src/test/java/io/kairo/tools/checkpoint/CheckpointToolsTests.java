package io.kairo.tools.checkpoint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.WorkspaceCheckpoints.Obstacle;
import io.kairo.api.workspace.WorkspaceProvider;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.tools.AgentSessions;
import io.kairo.tools.SessionBounds;
import io.kairo.tools.SessionDefaults;
import io.kairo.tools.SessionFork;
import io.kairo.tools.SessionRequest;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolCatalog;
import io.kairo.tools.ToolNaming;
import io.kairo.tools.ToolResult;
import io.kairo.tools.background.BackgroundCommand;
import io.kairo.tools.background.BackgroundCommands;
import io.kairo.tools.background.BackgroundOptions;
import io.kairo.tools.command.BashTool;
import io.kairo.tools.command.KillBashTool;
import io.kairo.tools.edit.EditTool;
import io.kairo.tools.entry.DeleteTool;
import io.kairo.tools.entry.MoveTool;
import io.kairo.tools.entry.UndeleteTool;
import io.kairo.tools.file.ReadTool;
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
import io.kairo.workspace.memory.InMemoryWorkspaceProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link CheckpointTool}, {@link ChangesTool}, {@link RewindTool} and
 * {@link TrialTool}.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class CheckpointToolsTests {

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
		TrashStore trash = new TrashStore(this.temp.resolve("state/trash"), TrashOptions.defaults());
		this.catalog = ToolCatalog.of(List.of(new WriteTool(), new EditTool(), new ReadTool(), new BashTool(),
				new KillBashTool(), new MoveTool(), new DeleteTool(trash, Duration.ofSeconds(5), ToolNaming.CLAUDE),
				new UndeleteTool(trash, ToolNaming.CLAUDE), new CheckpointTool(ToolNaming.CLAUDE),
				new ChangesTool(4_000, ToolNaming.CLAUDE), new RewindTool(4_000, ToolNaming.CLAUDE),
				new TrialTool(4_000, ToolNaming.CLAUDE)), List.of());
		open((options) -> options);
	}

	private void open(UnaryOperator<CheckpointOptions> options) {
		this.store = new CheckpointStore(this.temp.resolve("state/checkpoints"),
				options.apply(CheckpointOptions.defaults()), TrialOptions.defaults(this.temp.resolve("state/trials")),
				(tenant, bytes, most) -> {
				}, Clock.systemUTC());
		this.sessions = sessions(new LocalDirectoryWorkspaceProvider(this.directory));
	}

	private AgentSessions sessions(WorkspaceProvider provider) {
		return new AgentSessions(provider,
				(provider instanceof InMemoryWorkspaceProvider memory) ? memory
						: new LocalWorkspaceFilesFactory(LocalFilesOptions.DEFAULTS),
				this.sandbox, SessionBounds.DEFAULTS, SessionDefaults.NONE,
				new OutputStore(this.temp.resolve("state/outputs"), OutputOptions.defaults(), Clock.systemUTC()),
				new BackgroundCommands(BackgroundOptions.defaults()), this.store);
	}

	@AfterEach
	void close() {
		this.sessions.close();
		this.store.close();
		this.sandbox.close();
	}

	private ToolResult call(String session, String tool, Map<String, Object> arguments) {
		return this.sessions.call(SessionRequest.of(ALICE, session), this.catalog, new ToolCall("1", tool, arguments),
				UnaryOperator.identity());
	}

	private ToolResult call(String tool, Map<String, Object> arguments) {
		ToolResult result = call("one", tool, arguments);
		assertThat(result.error()).as(result.text()).isNull();
		return result;
	}

	private String text(String name) throws IOException {
		return Files.readString(this.directory.resolve(name));
	}

	@Test
	void rewindUndoesToolsAndCommandsSinceACheckpoint() throws Exception {
		Files.writeString(this.directory.resolve("kept.txt"), "one\n");
		Files.writeString(this.directory.resolve("gone.txt"), "two\n");
		assertThat(call("Checkpoint", Map.of("name", "start")).text())
			.startsWith("Checkpoint 'start' of 2 files, taken ");
		call("Write", Map.of("file_path", "new/a.txt", "content", "x\n"));
		call("Bash", Map.of("command", "rm gone.txt; echo more >> kept.txt; mkdir -p target; echo y > target/b"));
		ToolResult changes = call("Changes", Map.of("since", "start"));
		assertThat(changes.text()).startsWith("6 changes by 2 steps: rm gone.txt; ")
			.contains("deleted\tgone.txt", "created\tnew/a.txt", "created\ttarget/b", "changed\tkept.txt", "+more",
					"-two");
		assertThat(call("Rewind", Map.of("since", "start", "dry_run", true)).text()).startsWith("Would be undone: ")
			.contains("created\tgone.txt", "+two", "-more");
		assertThat(text("kept.txt")).isEqualTo("one\nmore\n");
		assertThat(call("Rewind", Map.of("since", "start")).text()).startsWith("Undone: 6 changes of 2 steps: ");
		assertThat(text("gone.txt")).isEqualTo("two\n");
		assertThat(text("kept.txt")).isEqualTo("one\n");
		assertThat(this.directory).isDirectoryNotContaining("glob:**/{new,target}");
		assertThat(call("Changes", Map.of()).text()).isEqualTo("Nothing is changed.");
		call("Rewind", Map.of("redo", true));
		assertThat(text("target/b")).isEqualTo("y\n");
		assertThat(this.directory.resolve("gone.txt")).doesNotExist();
		assertThat(call("one", "Rewind", Map.of("redo", true)).text()).contains("There is nothing to redo");
	}

	@Test
	void whatOthersChangedIsKeptUnlessNamed() throws Exception {
		call("Bash", Map.of("command", "echo one > a; echo one > b; echo one > c"));
		Files.writeString(this.directory.resolve("a"), "a person\n");
		call("two", "Bash", Map.of("command", "echo two > b"));
		Files.writeString(this.directory.resolve("d"), "a person\n");
		ToolResult rewound = call("Rewind", Map.of());
		assertThat(rewound.text()).contains("a\tconflict", "b\tconflict", "deleted\tc\n", "2 entries are kept.");
		assertThat(text("a")).isEqualTo("a person\n");
		assertThat(text("b")).isEqualTo("two\n");
		assertThat(this.directory.resolve("c")).doesNotExist();
		assertThat(call("Rewind", Map.of("overwrite", List.of("a"))).text()).contains("deleted\ta\n", "b\tconflict");
		assertThat(this.directory).isDirectoryContaining("glob:**/{b,d}").isDirectoryNotContaining("glob:**/{a,c}");
	}

	@Test
	void editOfAnotherSessionDuringACommandIsNotTheCommands() throws Exception {
		String id = (String) call("Bash", Map.of("command",
				"until [ -e then ]; do sleep 0.02; done; echo x > mine; rm go; sleep 60", "run_in_background", true))
			.data()
			.get("id");
		call("two", "Write", Map.of("file_path", "theirs", "content", "x"));
		call("two", "Write", Map.of("file_path", "go", "content", "x"));
		call("two", "Write", Map.of("file_path", "then", "content", "x")); // the call
																			// before is
																			// over
		await()
			.until(() -> Files.exists(this.directory.resolve("mine")) && !Files.exists(this.directory.resolve("go")));
		call("KillBash", Map.of("bash_id", id));
		await().untilAsserted(() -> assertThat(call("Changes", Map.of()).text()).contains("created\tmine"));
		ToolResult changes = call("Changes", Map.of());
		assertThat(changes.text()).contains("deleted\tgo").doesNotContain("theirs");
		call("Rewind", Map.of());
		assertThat(this.directory.resolve("mine")).doesNotExist();
		assertThat(this.directory.resolve("theirs")).exists();
	}

	@Test
	void deletionAndUndeletionAreSteps() throws Exception {
		Files.createDirectories(this.directory.resolve("d/e"));
		Files.writeString(this.directory.resolve("d/e/f"), "x");
		call("Delete", Map.of("path", "d", "recursive", true));
		assertThat(this.directory.resolve("d")).doesNotExist();
		call("Rewind", Map.of());
		assertThat(text("d/e/f")).isEqualTo("x");
		call("Rewind", Map.of("redo", true));
		call("Undelete", Map.of("path", "d"));
		call("Rewind", Map.of());
		assertThat(this.directory.resolve("d")).doesNotExist();
		call("Rewind", Map.of("steps", 5));
		assertThat(text("d/e/f")).isEqualTo("x");
	}

	@Test
	void contentThatIsNotKeptIsTold() throws Exception {
		this.sessions.close();
		this.store.close();
		open((options) -> new CheckpointOptions(options.maxBytes(), options.maxBytesPerTenant(), 1_000, 100_000,
				options.maxAge(), options.maxWait(), true));
		Files.createDirectories(this.directory.resolve("target"));
		Files.write(this.directory.resolve("target/big"), new byte[5_000]);
		assertThat(call("Checkpoint", Map.of("name", "a")).text())
			.contains("Not covered: target (1 file, 5,000 bytes)");
		assertThat(call("Bash", Map.of("command", "rm -r target")).text())
			.contains("the former content of 'target/big' was not kept, so it cannot be brought back");
		assertThat(call("Rewind", Map.of()).text()).contains("target/big\ta content is not kept");
		assertThat(this.directory.resolve("target")).isEmptyDirectory();
		call("Bash", Map.of("command", "head -c 5000 /dev/zero > large"));
		assertThat(call("Rewind", Map.of()).text()).startsWith("Nothing was undone: ")
			.contains("deleted\tlarge\ta content");
		assertThat(this.directory.resolve("large")).exists();
		call("Rewind", Map.of("overwrite", List.of("large")));
		assertThat(this.directory.resolve("large")).doesNotExist();
	}

	@Test
	void tooManyFilesAreTold() throws Exception {
		this.sessions.close();
		this.store.close();
		open((options) -> new CheckpointOptions(options.maxBytes(), options.maxBytesPerTenant(), 1_000, 3,
				options.maxAge(), options.maxWait(), true));
		call("Bash", Map.of("command", "touch a b c d e"));
		call("Write", Map.of("file_path", "f", "content", "x"));
		assertThat(call("Changes", Map.of()).data().get("steps").toString()).contains("(not recorded) touch a b c d e",
				"write f");
		call("Rewind", Map.of());
		assertThat(this.directory).isDirectoryContaining("glob:**/a").isDirectoryNotContaining("glob:**/f");
	}

	@Test
	void sessionsAreRecordedFromTheirFirstCheckpoint() throws Exception {
		this.sessions.close();
		this.store.close();
		open((options) -> new CheckpointOptions(options.maxBytes(), options.maxBytesPerTenant(), 1_000, 1_000,
				options.maxAge(), options.maxWait(), false));
		call("Write", Map.of("file_path", "a", "content", "x"));
		call("Bash", Map.of("command", "touch b"));
		assertThat(this.temp.resolve("state/checkpoints")).doesNotExist();
		assertThat(call("Changes", Map.of()).text()).isEqualTo("Nothing is changed.");
		call("Checkpoint", Map.of("name", "now"));
		call("Bash", Map.of("command", "touch c"));
		call("Rewind", Map.of("since", "now"));
		assertThat(this.directory).isDirectoryContaining("glob:**/a")
			.isDirectoryContaining("glob:**/b")
			.isDirectoryNotContaining("glob:**/c");
	}

	@Test
	void changesOutliveTheApplication() throws Exception {
		call("Checkpoint", Map.of("name", "start"));
		call("Bash", Map.of("command", "echo x > a"));
		this.sessions.close();
		this.store.close();
		open((options) -> options);
		assertThat(call("Checkpoint", Map.of()).text()).startsWith("start\t").endsWith(", 1 step since");
		call("Rewind", Map.of("since", "start"));
		assertThat(this.directory).isEmptyDirectory();
	}

	@Test
	void anotherTenantSeesNothing() throws Exception {
		call("Checkpoint", Map.of("name", "mine"));
		call("Bash", Map.of("command", "echo x > a"));
		ToolResult list = this.sessions.call(SessionRequest.of(new TenantContext("globex", "alice"), "one"),
				this.catalog, new ToolCall("1", "Checkpoint", Map.of()), UnaryOperator.identity());
		assertThat(list.text()).isEqualTo("There is no checkpoint.");
		ToolResult rewind = this.sessions.call(SessionRequest.of(new TenantContext("globex", "alice"), "one"),
				this.catalog, new ToolCall("1", "Rewind", Map.of()), UnaryOperator.identity());
		assertThat(rewind.text()).contains("There is no step to undo");
		assertThat(call("two", "Rewind", Map.of()).text()).contains("There is no step to undo");
	}

	@Test
	void workspaceInMemoryIsRewound() {
		this.sessions.close();
		this.sessions = sessions(new InMemoryWorkspaceProvider());
		call("Write", Map.of("file_path", "d/a", "content", "one"));
		call("Checkpoint", Map.of("name", "start"));
		call("Write", Map.of("file_path", "d/b", "content", "two"));
		call("Move", Map.of("source", "d/a", "destination", "e/a"));
		call("Rewind", Map.of("since", "start"));
		assertThat(call("Read", Map.of("file_path", "d/a")).text()).contains("one");
		assertThat(call("one", "Read", Map.of("file_path", "d/b")).error()).isNotNull();
		call("Rewind", Map.of("redo", true));
		assertThat(call("Read", Map.of("file_path", "e/a")).text()).contains("one");
	}

	@Test
	void forgottenCheckpointIsGone() {
		call("Checkpoint", Map.of("name", "a"));
		call("Checkpoint", Map.of("name", "a", "forget", true));
		assertThat(call("one", "Rewind", Map.of("since", "a")).text()).contains("There is no checkpoint 'a'");
		assertThat(call("one", "Rewind", Map.of("since", "a", "steps", 1)).text())
			.contains("More than one of since, steps and redo is given.");
	}

	private ToolResult trial(String action) {
		return call("Trial", Map.of("action", action));
	}

	@Test
	void toolsAndCommandsWorkInATrialUntilItIsCommitted() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		assertThat(trial("begin").text()).startsWith("The trial has begun")
			.contains("Commands find it in ", "absolute path still change the workspace itself");
		call("Read", Map.of("file_path", "a.txt"));
		call("Edit", Map.of("file_path", "a.txt", "old_string", "one", "new_string", "two"));
		assertThat(call("Bash", Map.of("command", "cat a.txt; mkdir sub; echo new > sub/new")).text()).contains("two");
		assertThat(call("one", "Read", Map.of("file_path", this.directory.resolve("sub/new").toString())).text())
			.contains("new");
		assertThat(text("a.txt")).isEqualTo("one\n");
		assertThat(call("two", "Read", Map.of("file_path", "a.txt")).text()).contains("one");
		assertThat(trial("changes").text()).startsWith("Would be committed: 3 changes by 1 command: cat a.txt;")
			.contains("changed\ta.txt", "created\tsub/new", "-one", "+two");
		assertThat(text("a.txt")).isEqualTo("one\n");
		ToolResult committed = trial("commit");
		assertThat(committed.text()).startsWith("Committed: 3 changes by 1 command").doesNotContain("+two");
		assertThat(committed.data()).containsEntry("done", true).containsEntry("total", 3);
		assertThat(text("a.txt")).isEqualTo("two\n");
		assertThat(text("sub/new")).isEqualTo("new\n");
		call("Edit", Map.of("file_path", "a.txt", "old_string", "two", "new_string", "three"));
		assertThat(call("Rewind", Map.of("steps", 2)).text()).contains("commit of a trial");
		assertThat(text("a.txt")).isEqualTo("one\n");
		assertThat(this.directory.resolve("sub")).doesNotExist();
	}

	@Test
	void discardedTrialLeavesNoFileAndNoProcess() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		call("Bash", Map.of("command", "sleep 600", "run_in_background", true));
		assertThat(call("Bash",
				Map.of("command", "echo $$ > pid; exec sleep 600", "run_in_background", true, "trial", true))
			.error()).isNull();
		Path copy = this.temp.resolve("state/trials");
		await().until(() -> !call("Bash", Map.of("command", "cat pid")).text().contains("No such file"));
		String pid = call("Bash", Map.of("command", "cat pid")).text().lines().findFirst().orElseThrow();
		assertThat(call("one", "Trial", Map.of("action", "commit")).error()).isNotNull();
		assertThat(call("Delete", Map.of("path", "a.txt")).text()).contains("for good");
		assertThat(trial("discard").text()).startsWith("Discarded");
		assertThat(ProcessHandle.of(Long.parseLong(pid)).filter(ProcessHandle::isAlive)).isEmpty();
		assertThat(copy.toFile().list()).hasSize(1); // the claim
		assertThat(text("a.txt")).isEqualTo("one\n");
		assertThat(this.directory.toFile().list()).containsExactly("a.txt");
		assertThat(call("Undelete", Map.of()).text()).contains("empty");
		assertThat(call("Changes", Map.of()).text()).contains("Nothing is changed");
		assertThat(this.sessions.list().get(0).commands().isRunning()).isTrue();
	}

	@Test
	void endOfTheSessionDiscardsItsTrial() throws Exception {
		call("Bash", Map.of("command", "echo x > tried; sleep 600", "run_in_background", true, "trial", true));
		this.sessions.end(ALICE, "one");
		assertThat(this.temp.resolve("state/trials").toFile().list()).hasSize(1); // the
																					// claim
		assertThat(this.directory.toFile().list()).isEmpty();
	}

	@Test
	void conflictsAreShownAndNothingIsCommitted() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		call("Bash", Map.of("command", "echo mine > a.txt; echo b > b.txt", "trial", true));
		Files.writeString(this.directory.resolve("a.txt"), "theirs\n");
		assertThat(trial("commit").text()).startsWith("Nothing was committed: 2 changes")
			.contains("changed\ta.txt\tconflict: others changed it", "1 entry cannot be committed");
		assertThat(this.directory.resolve("b.txt")).doesNotExist();
		assertThat(call("Trial", Map.of("action", "commit", "overwrite", List.of("a.txt"))).text())
			.startsWith("Committed: ");
		assertThat(text("a.txt")).isEqualTo("mine\n");
	}

	@Test
	void misuseOfTrialsIsExplained() {
		assertThat(call("one", "Trial", Map.of("action", "commit")).error().code()).isEqualTo("file_not_found");
		assertThat(call("one", "Trial", Map.of("action", "start")).text())
			.contains("begin, changes, commit or discard");
		assertThat(trial("discard").text()).isEqualTo("There was no trial to discard.");
		trial("begin");
		assertThat(call("one", "Trial", Map.of("action", "begin")).error().code()).isEqualTo("conflict");
		for (String tool : List.of("Checkpoint", "Changes", "Rewind", "Undelete")) {
			assertThat(call("one", tool, Map.of()).error().code()).as(tool).isEqualTo("conflict");
		}
		assertThat(trial("changes").text()).isEqualTo("Would be committed: nothing was changed in the trial.");
		assertThat(trial("commit").text()).isEqualTo("Committed: nothing was changed in the trial.");
		assertThat(call(null, "Trial", Map.of("action", "begin")).error().code()).isEqualTo("unsupported_file_type");
	}

	@Test
	void workspacesThatAreNotOnDiskHaveNoTrials() {
		try (AgentSessions memory = sessions(new InMemoryWorkspaceProvider())) {
			ToolResult result = memory.call(SessionRequest.of(ALICE, "one"), this.catalog,
					new ToolCall("1", "Trial", Map.of("action", "begin")), UnaryOperator.identity());
			assertThat(result.error().code()).isEqualTo("unsupported_file_type");
		}
	}

	@Test
	void forksWorkApartAndOneOfThemIsCommitted() throws Exception {
		Files.writeString(this.directory.resolve("a.txt"), "one\n");
		call("Bash", Map.of("command", "mkdir sub; cd sub"));
		call("Read", Map.of("file_path", "../a.txt"));
		List<SessionFork> forks = this.sessions.fork(SessionRequest.of(ALICE, "one"), 3).value();
		for (int i = 0; i < 3; i++) {
			SessionFork fork = forks.get(i);
			assertThat(fork.session().id()).isEqualTo("one#" + (i + 1));
			assertThat(inFork(fork, "Edit",
					Map.of("file_path", "../a.txt", "old_string", "one", "new_string", "fork " + i)))
				.startsWith("Edited");
			assertThat(inFork(fork, "Bash", Map.of("command", "cat ../a.txt; pwd; echo " + i + " > result")))
				.contains("fork " + i, "/sub");
			inFork(fork, "Bash", Map.of("command", "sleep 600", "run_in_background", true));
		}
		assertThat(text("a.txt")).isEqualTo("one\n");
		SessionFork winner = forks.get(1);
		assertThat(winner.commit(Set.of()).isOk()).as("a command runs").isFalse();
		winner.session().commands().list().forEach(BackgroundCommand::cancel);
		await().until(() -> !winner.session().commands().isRunning());
		assertThat(winner.changes().value().changes()).hasSize(2);
		assertThat(winner.commit(Set.of()).value().done()).isTrue();
		assertThat(forks.get(0).changes().value().changes())
			.anyMatch((change) -> change.obstacle() == Obstacle.CONFLICT);
		assertThat(winner.call(this.catalog, new ToolCall("1", "Write", Map.of("file_path", "late", "content", "x")))
			.error()
			.code()).isEqualTo("conflict");
		assertThat(winner.call(this.catalog, new ToolCall("1", "Trial", Map.of("action", "begin"))).error())
			.isNotNull();
		forks.forEach(SessionFork::close);
		forks.forEach(SessionFork::close);
		assertThat(text("a.txt")).isEqualTo("fork 1\n");
		assertThat(text("sub/result")).isEqualTo("1\n");
		assertThat(this.temp.resolve("state/trials").toFile().list()).hasSize(1); // the
																					// claim
		assertThat(call("Rewind", Map.of("steps", 1)).text()).contains("commit of a trial");
		assertThat(text("a.txt")).isEqualTo("one\n");
	}

	private String inFork(SessionFork fork, String tool, Map<String, Object> arguments) {
		ToolResult result = fork.call(this.catalog, new ToolCall("1", tool, arguments));
		assertThat(result.error()).as(result.text()).isNull();
		return result.text();
	}

	@Test
	void sessionWithoutTrialsCannotBeForked() {
		try (AgentSessions memory = sessions(new InMemoryWorkspaceProvider())) {
			assertThat(memory.fork(SessionRequest.of(ALICE, "one"), 2).isOk()).isFalse();
		}
		assertThat(this.sessions.fork(SessionRequest.of(ALICE, "one"), 11).isOk()).isFalse();
		assertThat(this.temp.resolve("state/trials").toFile().list()).hasSize(1); // the
																					// claim
		trial("begin");
		assertThat(this.sessions.fork(SessionRequest.of(ALICE, "one"), 1).isOk()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> this.sessions.fork(SessionRequest.of(ALICE, "one"), 0));
		assertThatIllegalArgumentException().isThrownBy(() -> this.sessions.fork(SessionRequest.of(ALICE, null), 1));
	}

}

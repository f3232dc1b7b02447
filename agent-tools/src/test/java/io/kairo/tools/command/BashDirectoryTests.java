package io.kairo.tools.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

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
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import io.kairo.tools.file.ReadTool;
import io.kairo.workspace.local.LocalDirectoryWorkspaceProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the working directory of the commands of {@link BashTool}.
 */
@Timeout(60)
class BashDirectoryTests extends BashFixture {

	@Test
	void changedDirectoryAppliesToNextCallOfEveryTool() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		Files.writeString(this.directory.resolve("sub/a.txt"), "below\n");
		ToolResult result = bash("cd sub");
		String sub = this.directory.resolve("sub").toString();
		assertThat(result.text()).contains("current directory: " + sub);
		assertThat(result.data()).containsEntry("currentDirectory", sub);
		assertThat(bash("cat a.txt").text()).isEqualTo("below");
		assertThat(new ReadTool().call(Map.of("file_path", "a.txt"), this.context).text()).contains("below");
	}

	@Test
	void changedDirectoryOfTaskAppliesToCommandsOnly() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		Files.writeString(this.directory.resolve("a.txt"), "above\n");
		ToolContext context = sessionIn(new TaskWorkspace(workspaceWith())).files(this.context.files()).build();
		assertThat(run(new BashTool(), "cd sub", context).text()).contains("sub, for commands only");
		assertThat(run(new BashTool(), "pwd", context).text()).endsWith("/sub");
		assertThat(new ReadTool().call(Map.of("file_path", "a.txt"), context).text()).contains("above");
	}

	@Test
	void commandsMayChangeIntoAdditionalDirectory(@TempDir Path added) {
		Workspace workspace = workspaceWith(added);
		ToolContext context = sessionIn(workspace).build();
		ToolResult result = run(new BashTool(), "cd '" + added + "'", context);
		assertThat(result.data()).containsEntry("currentDirectory", added.toString());
		assertThat(run(new BashTool(), "pwd", context).text()).isEqualTo(added.toString());
	}

	@Test
	void cdThatIsNotKnownIsReported() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		String note = "(the last directory of the command is not known, so its cd does not last)";
		assertThat(bash("cd sub; exec pwd").text()).isEqualTo(this.directory.resolve("sub") + "\n" + note);
		assertThat(bash("trap 'echo bye' EXIT; cd sub; exit 0").text()).isEqualTo("bye\n" + note);
		assertThat(bash("exec pwd").text()).isEqualTo(this.directory.toString());
		assertThat(bash("trap 'echo bye' EXIT; cd sub").text()).startsWith("bye\n(current directory: ");
		assertThat(bash("pwd").text()).isEqualTo(this.directory.resolve("sub").toString());
	}

	@Test
	void directoryOutsideWorkspaceIsResetByDefault() {
		ToolResult result = bash("cd /; pwd");
		assertThat(result.text()).startsWith("/\n").contains("outside the workspace");
		assertThat(bash("pwd").text()).isEqualTo(this.directory.toString());
	}

	@Test
	void directoryOutsideWorkspaceIsKeptForCommandsWhenPolicyAllows(@TempDir Path parent) throws Exception {
		Path outside = Files.createDirectory(parent.toRealPath().resolve("outside"));
		Files.writeString(outside.resolve("a.txt"), "secret");
		Path sub = Files.createDirectory(this.directory.resolve("sub"));
		Files.writeString(sub.resolve("a.txt"), "inside");
		BashTool leaving = leaving();
		run(leaving, "cd sub");
		ToolResult left = run(leaving, "cd '" + outside + "'");
		assertThat(left.text()).contains("commands now start where this one ended", "start in '" + sub + "'");
		assertThat(left.data()).containsEntry("currentDirectory", sub.toString())
			.containsEntry("commandsStartOutside", true);
		assertThat(run(leaving, "pwd").text()).isEqualTo(outside.toString());
		assertThat(new ReadTool().call(Map.of("file_path", "a.txt"), this.context).text()).contains("inside")
			.doesNotContain("secret");
		ToolResult back = run(leaving, "cd '" + sub + "'");
		assertThat(back.data()).doesNotContainKey("commandsStartOutside");
		assertThat(run(leaving, "pwd").text()).isEqualTo(sub.toString());
	}

	@Test
	void deletedDirectoryOutsideWorkspaceFallsBackToRoot(@TempDir Path parent) throws Exception {
		Path outside = Files.createDirectory(parent.resolve("outside"));
		run(leaving(), "cd '" + outside + "'");
		Files.delete(outside);
		assertThat(run(leaving(), "pwd").text()).startsWith(this.directory + "\n")
			.contains("the current directory is gone");
		assertThat(run(leaving(), "pwd").text()).isEqualTo(this.directory.toString());
	}

	@Test
	void directoryOutsideWorkspaceIsResetWhenCommandsAreConfined() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		ToolContext confined = otherSession().sandbox(new Claiming(SandboxCapability.FILE_CONFINEMENT, this.sandbox))
			.build();
		run(leaving(), "cd sub", confined);
		assertThat(run(leaving(), "cd /", confined).text()).contains("is the workspace root");
		assertThat(run(leaving(), "pwd", confined).text()).isEqualTo(this.directory.toString());
	}

	@Test
	void slowCallDoesNotUndoDirectoryChangeOfFasterCall() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		CompletableFuture<ToolResult> slow = CompletableFuture
			.supplyAsync(() -> bash("touch started; while [ ! -e go ]; do sleep 0.05; done"));
		Awaitility.await().until(() -> this.directory.resolve("started").toFile().exists());
		bash("cd sub; touch ../go");
		slow.get(20, TimeUnit.SECONDS);
		assertThat(bash("pwd").text()).isEqualTo(this.directory.resolve("sub").toString());
	}

	@Test
	void deletedAdditionalDirectoryFallsBackToRoot(@TempDir Path parent) throws Exception {
		Path added = Files.createDirectory(parent.resolve("added"));
		Workspace workspace = workspaceWith(added);
		ToolContext context = sessionIn(workspace).build();
		run(new BashTool(), "cd '" + added + "'", context);
		Files.delete(added);
		assertThat(run(new BashTool(), "pwd", context).text()).startsWith(this.directory + "\n").contains("is gone");
	}

	@Test
	void deletedAdditionalDirectoryIsNotMounted(@TempDir Path parent) throws Exception {
		Path there = Files.createDirectory(parent.toRealPath().resolve("there"));
		Path gone = Files.createDirectory(parent.toRealPath().resolve("gone"));
		Workspace workspace = workspaceWith(gone, there);
		Files.delete(gone);
		List<SandboxRequest> requests = new ArrayList<>();
		ToolContext context = sessionIn(workspace).sandbox(new Claiming(SandboxCapability.MOUNTS, (request) -> {
			requests.add(request);
			return this.sandbox.start(new SandboxRequest.Builder(request.command(), request.workspaceRoot()).build());
		})).build();
		run(new BashTool(), "true", context);
		assertThat(requests.get(0).attributes().mounts()).extracting((mount) -> mount.source()).containsExactly(there);
	}

	@Test
	void directoryInWhichNoCommandCanStartFallsBackToRoot() throws Exception {
		Path sub = Files.createDirectory(this.directory.resolve("sub"));
		ToolContext context = otherSession().sandbox(new Claiming(SandboxCapability.STDIN, (request) -> {
			if (sub.equals(request.attributes().workingDirectory())) {
				throw new SandboxException(SandboxErrorCode.INVALID_DIRECTORY, "no", "none");
			}
			return this.sandbox.start(request);
		})).build();
		run(new BashTool(), "cd sub", context);
		assertThat(run(new BashTool(), "pwd", context).text()).startsWith(this.directory + "\n")
			.contains("no command can start in the current directory '" + sub + "'");
		assertThat(run(new BashTool(), "pwd", context).text()).isEqualTo(this.directory.toString());
	}

	@Test
	void deletedDirectoryFallsBackToRoot() throws Exception {
		Path sub = Files.createDirectory(this.directory.resolve("sub"));
		bash("cd sub");
		Files.delete(sub);
		ToolResult result = bash("pwd");
		assertThat(result.text()).startsWith(this.directory + "\n").contains("is gone");
	}

	@Test
	void commandThatTimesOutLeavesDirectoryUnchanged() throws Exception {
		Files.createDirectory(this.directory.resolve("sub"));
		bash(Map.of("command", "cd sub; sleep 20", "timeout", 300));
		assertThat(bash("pwd").text()).isEqualTo(this.directory.toString());
	}

	private Workspace workspaceWith(Path... added) {
		return new LocalDirectoryWorkspaceProvider(this.directory, List.of(added))
			.acquire(WorkspaceRequest.writable(null));
	}

	private static BashTool leaving() {
		return new BashTool(new BashOptions(Duration.ofSeconds(30), Duration.ofSeconds(30), 1000, 500,
				WorkingDirectoryPolicy.CARRIES_COMMANDS));
	}

	private ToolResult run(BashTool tool, String command) {
		return run(tool, command, this.context);
	}

	private static ToolResult run(BashTool tool, String command, ToolContext context) {
		return tool.call(Map.of("command", command), context);
	}

	/**
	 * A sandbox that declares a single capability.
	 */
	private record Claiming(SandboxCapability capability, ExecutionSandbox sandbox) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return SandboxCapabilities.of("claiming", Set.of(this.capability), Map.of());
		}

	}

	/**
	 * A workspace as of a task.
	 *
	 * @param directory has its files
	 */
	private record TaskWorkspace(Workspace directory) implements Workspace {

		@Override
		public String id() {
			return this.directory.id();
		}

		@Override
		public Path root() {
			return this.directory.root();
		}

		@Override
		public WorkspaceKind kind() {
			return WorkspaceKind.TASK;
		}

		@Override
		public Map<String, String> metadata() {
			return this.directory.metadata();
		}

	}

}

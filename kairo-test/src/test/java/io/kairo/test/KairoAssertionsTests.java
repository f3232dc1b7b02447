package io.kairo.test;

import java.util.Map;

import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.workspace.Workspace;
import io.kairo.tools.ToolCall;
import io.kairo.tools.ToolContext;
import io.kairo.tools.ToolResult;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

import static io.kairo.test.KairoAssertions.assertThat;
import static io.kairo.test.KairoAssertions.assertThatExceptionOfType;

/**
 * Tests for {@link KairoAssertions}: an assertion that does not hold fails, with the
 * facts.
 */
class KairoAssertionsTests {

	@Test
	void assertionsOnFilesFailWithFilesOfWorkspace() {
		TestWorkspaces workspaces = new TestWorkspaces().seed("a.txt", "one\n");
		assertThat(workspaces).hasFile("a.txt")
			.hasFile("a.txt", "one\n")
			.doesNotHaveFile("b.txt")
			.hasOnlyFiles("a.txt");
		assertThat(workspaces).file("a.txt").startsWith("one");
		fails(() -> assertThat(workspaces).hasFile("b.txt"), "'b.txt'", "which has [a.txt]");
		fails(() -> assertThat(workspaces).hasFile("a.txt", "two\n"), "file 'a.txt'", "two");
		fails(() -> assertThat(workspaces).doesNotHaveFile("a.txt"), "Expected no file 'a.txt'");
		fails(() -> assertThat(workspaces).hasOnlyFiles("a.txt", "b.txt"), "b.txt");
	}

	@Test
	void assertionsOnCallsFailWithCalls() {
		RecordedCalls calls = new RecordedCalls();
		ToolContext context = ToolContext.builder(Workspace.cwd()).build();
		ToolResult failure = ToolResult.failure("file_not_found", "There is no file.", null);
		calls.intercept(new ToolCall("1", "Read", Map.of("file_path", "a.txt")), context, (call, same) -> failure);
		calls.intercept(new ToolCall("2", "Bash", Map.of("command", "ls")), context,
				(call, same) -> ToolResult.ok("", Map.of()));
		assertThat(calls).areExactly("Read", "Bash")
			.areInOrder("Read", "Bash")
			.contain("Read", Map.of("file_path", "a.txt"))
			.doNotContain("Write");
		fails(() -> assertThat(calls).areExactly("Read"), "Read{file_path=a.txt} -> file_not_found");
		fails(() -> assertThat(calls).areInOrder("Bash", "Read"), "Bash{command=ls}");
		fails(() -> assertThat(calls).contain("Read", Map.of("file_path", "b.txt")), "b.txt");
		fails(() -> assertThat(calls).doNotContain("Bash"), "Bash");
		fails(() -> assertThat(calls).allSucceeded(), "file_not_found");
	}

	@Test
	void assertionsOnCommandsFailWithCommands() {
		FakeSandbox sandbox = new FakeSandbox();
		sandbox.start(new SandboxRequest.Builder("ls", Workspace.cwd().root()).build());
		assertThat(sandbox).ranExactly("ls").ranInOrder("ls");
		fails(() -> assertThat(sandbox).ranExactly("ls", "pwd"), "pwd");
		fails(() -> assertThat(sandbox).ranInOrder("pwd"), "pwd");
		fails(() -> assertThat(sandbox).answeredEverything(), "commands without an answer", "ls");
	}

	private static void fails(ThrowingCallable assertion, String... facts) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion)
			.satisfies((error) -> assertThat(error.getMessage()).contains(facts));
	}

}

package io.kairo.tools.command;

import java.time.Duration;

import io.kairo.api.sandbox.SandboxExit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/**
 * Tests for {@link CommandReport}.
 */
class CommandReportTests {

	@ParameterizedTest
	@ValueSource(strings = { "grep x a", "  grep -r x .", "cat a | grep x", "cd src && rg x", "true; egrep x a",
			"git  grep x", "zgrep x a", "(cat a; grep x b)", "cd a\n\n  grep x b", "ag x", "grep 'a' b\n" })
	void commandThatEndsWithSearchIsRecognized(String command) {
		assertThat(CommandReport.endsWithSearch(command)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "false", "grep x a | wc -l", "grep x a && make", "echo grep x", "agent x", "grep",
			"my-grep x", "pgrep-like x", "grep x a; false" })
	void otherCommandIsNotRecognizedAsSearch(String command) {
		assertThat(CommandReport.endsWithSearch(command)).isFalse();
	}

	@Test
	void lostCommandHasNoExitCode() {
		assertThat(CommandReport.noteOf(new SandboxExit(-1, SandboxExit.LOST, false, false), "make"))
			.contains("lost", "not known")
			.doesNotContain("-1", "LOST");
		assertThat(CommandReport.noteOf(new SandboxExit(137, "SIGKILL", false, false), "make"))
			.isEqualTo("exit code 137, as after SIGKILL");
	}

	@Test
	void longCommandIsCheckedInLinearTime() {
		for (String command : new String[] { "\n".repeat(300_000) + "false", "(grep ".repeat(100_000) + "| x",
				"(" + " ".repeat(300_000) + "x", "(\t\n".repeat(100_000) + "x" }) {
			assertTimeoutPreemptively(Duration.ofSeconds(20),
					() -> assertThat(CommandReport.endsWithSearch(command)).isFalse());
		}
	}

}

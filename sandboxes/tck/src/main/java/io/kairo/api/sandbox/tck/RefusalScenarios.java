package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Scenarios for commands that cannot be started and are refused with a code and a remedy.
 */
abstract class RefusalScenarios {

	abstract Trial trial();

	@Test
	void invalidWorkingDirectoryIsRefused() throws IOException {
		Path file = Files.createFile(trial().workspace().resolve("file"));
		for (Path directory : List.of(file, trial().workspace().resolve("missing"))) {
			trial().assertRefused(SandboxErrorCode.INVALID_DIRECTORY, "true",
					Trial.attributes((attributes) -> attributes.workingDirectory(directory)));
		}
	}

	@Test
	void invalidWorkspaceIsRefused() throws IOException {
		Path file = Files.createFile(trial().workspace().resolve("file"));
		for (Path root : List.of(file, trial().workspace().resolve("missing"))) {
			assertThatExceptionOfType(SandboxException.class)
				.isThrownBy(() -> trial().sandbox().start(new SandboxRequest.Builder("true", root).build()))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.INVALID_DIRECTORY))
				.satisfies((ex) -> assertThat(ex.remedy()).isNotBlank());
		}
	}

	@Test
	void commandWithANulIsRefused() {
		trial().assertRefused(SandboxErrorCode.INVALID_COMMAND, "echo \0", UnaryOperator.identity());
	}

	@Test
	void invalidEnvironmentIsRefused() {
		for (Map<String, String> env : List.of(Map.of("A=B", "x"), Map.of("", "x"), Map.of("A\0", "x"),
				Map.of("A", "\0"))) {
			trial().assertRefused(SandboxErrorCode.INVALID_ENVIRONMENT, "true", (request) -> request.env(env));
		}
	}

	@Test
	void veryLongCommandRunsOrIsRefused() {
		String command = "echo " + "x".repeat(3_000_000);
		runsOrIsRefused(command, (request) -> request.maxOutputBytes(4_000_000), SandboxErrorCode.INVALID_COMMAND,
				3_000_001);
	}

	@Test
	void manyVariablesArriveOrAreRefused() {
		Map<String, String> env = new HashMap<>();
		for (int i = 0; i < 10_000; i++) {
			env.put("KAIRO_MANY_" + i, "x".repeat(20));
		}
		runsOrIsRefused("env | grep -c ^KAIRO_MANY_", (request) -> request.env(env),
				SandboxErrorCode.INVALID_ENVIRONMENT, "10000\n".length());
	}

	@Test
	void sandboxIsUsableAfterARefusal() {
		commandWithANulIsRefused();
		invalidEnvironmentIsRefused();
		assertThat(trial().run("echo fine").out()).isEqualTo("fine\n");
	}

	private void runsOrIsRefused(String command, UnaryOperator<SandboxRequest.Builder> changes, SandboxErrorCode code,
			int length) {
		try {
			Outcome outcome = trial().run(command, changes);
			assertThat(outcome.exit().exitCode()).isZero();
			assertThat(outcome.stdout()).hasSize(length);
		}
		catch (SandboxException ex) {
			assertThat(ex.code()).isEqualTo(code);
			assertThat(ex.remedy()).isNotBlank();
		}
	}

}

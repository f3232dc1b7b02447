package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Scenarios for the environment and the standard input of a command.
 */
abstract class SurroundingsScenarios {

	/** Variables that shells add themselves. */
	private static final Set<String> OF_THE_SHELL = Set.of("PWD", "OLDPWD", "SHLVL", "_");

	abstract Trial trial();

	abstract Set<String> inherited();

	/**
	 * Returns the names of environment variables of the JVM that a command must not see.
	 */
	private List<String> secrets() {
		List<String> secrets = System.getenv()
			.keySet()
			.stream()
			.filter((name) -> !inherited().contains(name) && !OF_THE_SHELL.contains(name))
			.toList();
		assertThat(secrets).as("a variable to hide: run the tests with an additional environment variable")
			.isNotEmpty();
		return secrets;
	}

	private List<String> namesSeen(Map<String, String> env) {
		String[] lines = trial().run("env", (request) -> request.env(env)).out().split("\n");
		return Arrays.stream(lines).map((line) -> line.replaceFirst("=.*", "")).toList();
	}

	@Test
	void environmentOfTheJvmIsNotInherited() {
		assertThat(namesSeen(Map.of("OWN", "mine"))).contains("PATH", "OWN").doesNotContainAnyElementsOf(secrets());
	}

	@Test
	void environmentOfTheJvmIsUnreachableOrTheReasonIsGiven() {
		if (trial().claims(SandboxCapability.ENV_ISOLATION)) {
			String found = trial().run("env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").out();
			assertThat(found).as("the environment of the command itself").contains("PATH=");
			for (String name : secrets()) {
				assertThat(found.lines()).noneMatch((line) -> line.startsWith(name + "="));
			}
		}
		else {
			trial().assertReason(SandboxCapability.ENV_ISOLATION);
		}
	}

	@Test
	void variablesOfTheRequestArriveUnchanged() {
		String value = "it's \"quoted\" $HOME `x` \\ and\ntwo lines";
		assertThat(trial().run("printf %s \"$OWN\"", (request) -> request.env(Map.of("OWN", value))).out())
			.isEqualTo(value);
	}

	@Test
	void variablesOfTheRequestOverrideInheritedOnes() {
		assertThat(trial().run("echo $HOME", (request) -> request.env(Map.of("HOME", "/own"))).out())
			.isEqualTo("/own\n");
	}

	@Test
	void variablesOfOneCommandAreNotInheritedByTheNext() {
		assertThat(namesSeen(Map.of("OWN", "mine"))).contains("OWN");
		assertThat(namesSeen(Map.of())).doesNotContain("OWN");
	}

	@Test
	void standardInputIsEmptyUnlessRequested() {
		assertThat(trial().run("cat; echo end").out()).isEqualTo("end\n");
		try (SandboxHandle handle = trial().start("sleep 0.2")) {
			OutputStream stdin = handle.stdin();
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> stdin.write(1));
		}
	}

	@Test
	void standardInputReachesTheCommandOrIsRefused() throws IOException {
		SandboxAttributes attributes = SandboxAttributes.builder().stdin(true).build();
		if (!trial().claims(SandboxCapability.STDIN)) {
			trial().assertRefusedForLackOf(SandboxCapability.STDIN, "cat", (request) -> request.attributes(attributes));
			return;
		}
		try (SandboxHandle handle = trial().start("read line; echo got $line; cat",
				(request) -> request.attributes(attributes))) {
			handle.stdin().write("one\n".getBytes(StandardCharsets.UTF_8));
			handle.stdin().flush();
			SandboxOutputChunk first = handle.output().blockFirst(Trial.PATIENCE);
			assertThat(first).isNotNull();
			handle.stdin().write("two".getBytes(StandardCharsets.UTF_8));
			handle.stdin().close();
			assertThat(Trial.exit(handle).exitCode()).isZero();
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class))).isEqualTo("got one\ntwo");
		}
	}

}

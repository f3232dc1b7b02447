package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scenarios for commands that end by themselves.
 */
abstract class ExitScenarios {

	private static final SandboxExit SUCCESS = new SandboxExit(0, null, false, false);

	abstract Trial trial();

	@Test
	void successfulCommandReturnsZeroAndItsOutput() {
		Outcome outcome = trial().run("echo out; echo err >&2");
		assertThat(outcome.exit()).isEqualTo(SUCCESS);
		assertThat(outcome.out()).isEqualTo("out\n");
		assertThat(outcome.err()).isEqualTo("err\n");
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 42, 126, 127, 128, 255 })
	void exitCodeOfTheCommandIsReturned(int code) {
		assertThat(trial().run("exit " + code).exit()).isEqualTo(new SandboxExit(code, null, false, false));
	}

	@Test
	void missingProgramExitsWith127() {
		Outcome outcome = trial().run("kairo-no-such-program");
		assertThat(outcome.exit()).isEqualTo(new SandboxExit(127, null, false, false));
		assertThat(outcome.err()).contains("kairo-no-such-program");
	}

	@Test
	void syntaxErrorExitsWith2() {
		Outcome outcome = trial().run("if fi");
		assertThat(outcome.exit()).isEqualTo(new SandboxExit(2, null, false, false));
		assertThat(outcome.err()).isNotBlank();
	}

	@Test
	void messageOfASyntaxErrorIsThatOfTheCommandAlone() {
		Outcome outcome = trial().run("echo one\necho two\nif fi");
		assertThat(outcome.out()).isEqualTo("one\ntwo\n");
		assertThat(outcome.err()).contains("fi").doesNotContain("eval", "kairo");
		assertThat(trial().run("echo $(if)").err()).isNotBlank().doesNotContain("eval", "kairo");
	}

	@Test
	void scriptOfTheShellIsTheCommand() {
		String command = "printf %s \"$BASH_EXECUTION_STRING\"; true";
		assertThat(trial().run(command).out()).as("nothing in a shell that is not bash").isIn("", command);
	}

	@Test
	void exitTrapOfTheCommandDoesNotHideItsLastDirectory() throws IOException {
		Files.createDirectory(trial().workspace().resolve("sub"));
		Path seen = lastDirectory("cd sub", "");
		assertThat(lastDirectory("cd sub; trap 'echo bye' EXIT", "bye\n")).isEqualTo(seen);
		assertThat(lastDirectory("cd sub; exec echo replaced", "replaced\n")).isIn(null, seen);
	}

	private @Nullable Path lastDirectory(String command, String output) {
		try (SandboxHandle handle = trial().start(command)) {
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class))).isEqualTo(output);
			assertThat(handle.endedOutside()).isFalse();
			return handle.workingDirectory();
		}
	}

	@ParameterizedTest
	@CsvSource({ "KILL, SIGKILL", "TERM, SIGTERM", "SEGV, SIGSEGV" })
	void exitNamesTheSignalThatEndedTheCommand(String signal, String name) {
		SandboxExit exit = trial().run("kill -" + signal + " $$; sleep 60").exit();
		assertThat(exit.signal()).isEqualTo(name);
		assertThat(exit.timedOut()).isFalse();
	}

	@Test
	void exitCode137IsDistinguishedFromASignalOrTheReasonIsGiven() {
		SandboxExit exit = trial().run("exit 137").exit();
		assertThat(exit.exitCode()).isEqualTo(137);
		if (trial().claims(SandboxCapability.SIGNAL_DISTINCT)) {
			assertThat(exit.signal()).isNull();
		}
		else {
			trial().assertReason(SandboxCapability.SIGNAL_DISTINCT);
		}
	}

	@Test
	void exitIsCached() {
		try (SandboxHandle handle = trial().start("exit 3")) {
			SandboxExit first = Trial.exit(handle);
			assertThat(Trial.exit(handle)).isEqualTo(first);
			handle.cancel();
			handle.close();
			assertThat(Trial.exit(handle)).isEqualTo(first);
			assertThat(first).isEqualTo(new SandboxExit(3, null, false, false));
		}
	}

	@Test
	void everySubscriberReceivesTheExit() {
		try (SandboxHandle handle = trial().start("sleep 0.2; exit 4")) {
			List<SandboxExit> exits = new CopyOnWriteArrayList<>();
			for (int i = 0; i < 3; i++) {
				handle.exit().subscribe(exits::add);
			}
			handle.exit().subscribe().dispose();
			SandboxExit exit = Trial.exit(handle);
			assertThat(exit.exitCode()).isEqualTo(4);
			await().atMost(Trial.PATIENCE).untilAsserted(() -> assertThat(exits).containsExactly(exit, exit, exit));
		}
	}

	@Test
	void startingDoesNotWaitForTheCommand() {
		trial().run("true");
		long started = System.nanoTime();
		try (SandboxHandle handle = trial().start("sleep 30")) {
			assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(15));
			assertThat(handle.exit().toFuture()).isNotDone();
		}
	}

	/**
	 * Compares every byte, with more commands at once than the machine has processors.
	 */
	@Test
	void instantCommandsAllStartAndSucceed() throws Exception {
		int commands = Trial.rounds(32, 1000);
		ExecutorService callers = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> calls = new ArrayList<>();
			for (int i = 0; i < commands; i++) {
				String line = "line " + i;
				calls.add(callers.submit(() -> {
					Outcome outcome = trial().run("echo " + line + "; echo error of " + line + " >&2");
					assertThat(outcome.exit()).isEqualTo(SUCCESS);
					assertThat(outcome.out()).isEqualTo(line + "\n");
					assertThat(outcome.err()).isEqualTo("error of " + line + "\n");
				}));
			}
			for (Future<?> call : calls) {
				call.get();
			}
		}
		finally {
			callers.shutdownNow();
		}
	}

	@Test
	void silentInstantCommandSucceedsWithoutImmediateSubscriber() {
		List<SandboxHandle> handles = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			handles.add(trial().start(":"));
		}
		for (SandboxHandle handle : handles) {
			assertThat(Trial.exit(handle)).isEqualTo(SUCCESS);
			assertThat(Trial.output(handle, SandboxOutputChunk.class)).isEmpty();
			handle.close();
		}
	}

}

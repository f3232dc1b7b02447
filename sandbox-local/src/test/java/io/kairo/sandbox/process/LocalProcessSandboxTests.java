package io.kairo.sandbox.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link LocalProcessSandbox}: exits, output and input.
 */
@EnabledOnOs({ OS.LINUX, OS.MAC })
@Timeout(120)
class LocalProcessSandboxTests {

	@TempDir
	Path workspace;

	@TempDir
	Path spill;

	private LocalProcessSandbox sandbox;

	private LocalProcessSandbox sandbox() {
		if (this.sandbox == null) {
			this.sandbox = new LocalProcessSandbox(LocalProcessSandboxOptions.defaults().withDirectory(this.spill));
		}
		return this.sandbox;
	}

	private Commands commands() {
		return new Commands(sandbox(), this.workspace);
	}

	@AfterEach
	void closeSandbox() {
		sandbox().close();
		assertThat(this.spill).isEmptyDirectory();
	}

	@Nested
	class Exits {

		@Test
		void aSuccessHasItsOutput() {
			Commands.Outcome outcome = commands().run("echo out; echo err >&2");
			assertThat(outcome.exit()).isEqualTo(new SandboxExit(0, null, false, false));
			assertThat(outcome.out()).isEqualTo("out\n");
			assertThat(outcome.err()).isEqualTo("err\n");
			assertThat(outcome.leftovers()).isZero();
		}

		@ParameterizedTest
		@ValueSource(ints = { 1, 2, 42, 127, 128, 255 })
		void anExitCodeIsTheCommandsOwn(int code) {
			assertThat(commands().run("exit " + code).exit()).isEqualTo(new SandboxExit(code, null, false, false));
		}

		@Test
		void deathByASignalIsNamed() {
			assertThat(commands().run("kill -KILL $$").exit()).isEqualTo(new SandboxExit(137, "SIGKILL", false, false));
			assertThat(commands().run("sh -c 'kill -SEGV $$'").exit())
				.isEqualTo(new SandboxExit(139, "SIGSEGV", false, false));
		}

		@Test
		void aTimeoutEndsTheCommandWithinASecondAndKeepsItsOutput() {
			Commands.Outcome outcome = commands().run("echo before; sleep 60; echo after",
					(request) -> request.timeout(Duration.ofMillis(300)));
			assertThat(outcome.exit()).isEqualTo(new SandboxExit(-1, SandboxExit.TIMEOUT, true, false));
			assertThat(outcome.out()).isEqualTo("before\n");
			assertThat(outcome.took()).isBetween(Duration.ofMillis(300), Duration.ofMillis(1300));
			assertThat(outcome.directory()).isNull();
		}

		@Test
		void theShortestTimeoutHasAnExitToo() {
			for (int i = 0; i < 20; i++) {
				assertThat(
						commands().run("sleep 60", (request) -> request.timeout(Duration.ofNanos(1))).exit().timedOut())
					.isTrue();
			}
		}

		@Test
		void aTimeoutThatRacesWithTheEndHasOneOutcome() {
			for (int i = 0; i < 50; i++) {
				Duration timeout = Duration.ofMillis(3 + i % 10);
				SandboxExit exit = commands().run("sleep 0.005", (request) -> request.timeout(timeout)).exit();
				assertThat(exit).isIn(new SandboxExit(0, null, false, false),
						new SandboxExit(-1, SandboxExit.TIMEOUT, true, false));
			}
		}

		@Test
		void cancellingTwiceIsToldOnce() {
			try (SandboxHandle handle = commands().start("sleep 60")) {
				handle.cancel();
				handle.cancel();
				assertThat(handle.exit().block()).isEqualTo(new SandboxExit(-1, SandboxExit.CANCELLED, false, false));
				handle.cancel();
				assertThat(handle.exit().block().signal()).isEqualTo(SandboxExit.CANCELLED);
			}
		}

		@Test
		void closingTwiceEndsTheCommand() {
			SandboxHandle handle = commands().start("sleep 60");
			handle.close();
			handle.close();
			assertThat(handle.exit().block().exitCode()).isEqualTo(-1);
		}

		@Test
		void instantCommandsAllStartAndSucceed() {
			List<SandboxHandle> handles = new ArrayList<>();
			for (int i = 0; i < 500; i++) {
				handles.add(commands().start("echo " + i));
				if (handles.size() == 25) {
					handles.forEach((handle) -> assertThat(handle.exit().block().exitCode()).isZero());
					handles.forEach((handle) -> assertThat(Commands.output(handle, SandboxOutputChunk.Stdout.class))
						.isNotEmpty());
					handles.forEach(SandboxHandle::close);
					handles.clear();
				}
			}
		}

		@Test
		void concurrentCommandsAreIsolated() {
			List<SandboxHandle> handles = new ArrayList<>();
			for (int i = 0; i < 30; i++) {
				Map<String, String> env = Map.of("N", "" + i);
				handles.add(commands().start("for i in 1 2 3 4 5; do echo $N; sleep 0.01; done; exit $N",
						(request) -> request.env(env)));
			}
			for (int i = 0; i < 30; i++) {
				SandboxHandle handle = handles.get(i);
				assertThat(handle.exit().block().exitCode()).isEqualTo(i);
				assertThat(new String(Commands.output(handle, SandboxOutputChunk.Stdout.class)))
					.isEqualTo((i + "\n").repeat(5));
				handle.close();
			}
		}

		@Test
		void aSyntaxErrorIsTheCommandsOwn() {
			Commands.Outcome outcome = commands().run("if fi");
			assertThat(outcome.exit().exitCode()).isEqualTo(2);
			assertThat(outcome.err()).contains("fi").doesNotContain("trap").doesNotContain("pwd");
		}

		@Test
		void aClosedSandboxStartsNothing() {
			SandboxHandle handle = commands().start("sleep 60");
			sandbox().close();
			assertThat(handle.exit().block(Duration.ofSeconds(1)).signal()).isEqualTo(SandboxExit.CANCELLED);
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> commands().start("true"))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.CLOSED));
		}

	}

	@Nested
	class Output {

		@Test
		void isKeptByteForByteOnBothStreams() throws Exception {
			Random random = new Random(11);
			byte[] out = new byte[900_000];
			byte[] err = new byte[700_001];
			random.nextBytes(out);
			random.nextBytes(err);
			Files.write(LocalProcessSandboxTests.this.workspace.resolve("out"), out);
			Files.write(LocalProcessSandboxTests.this.workspace.resolve("err"), err);
			Commands.Outcome outcome = commands().run("cat err >&2 & cat out; wait",
					(request) -> request.maxOutputBytes(1_600_001));
			assertThat(outcome.exit()).isEqualTo(new SandboxExit(0, null, false, false));
			assertThat(outcome.stdout()).isEqualTo(out);
			assertThat(outcome.stderr()).isEqualTo(err);
			assertThat(outcome.discarded()).isZero();
		}

		@Test
		void isTruncatedBeyondTheBoundAndNotAtIt() {
			assertThat(commands().run("printf 0123456789", (request) -> request.maxOutputBytes(10)).exit().truncated())
				.isFalse();
			Commands.Outcome outcome = commands().run("printf 0123456789x", (request) -> request.maxOutputBytes(10));
			assertThat(outcome.exit()).isEqualTo(new SandboxExit(0, null, false, true));
			assertThat(outcome.out()).isEqualTo("0123456789");
			assertThat(outcome.discarded()).isEqualTo(1);
		}

		@Test
		void keepsTheEndToo() {
			Commands.Outcome outcome = commands().run("seq 1 100000", (request) -> request.maxOutputBytes(4)
				.attributes(SandboxAttributes.builder().tailBytes(14).build()));
			assertThat(outcome.out()).isEqualTo("1\n2\n" + "\n99999\n100000\n");
			assertThat(outcome.exit().truncated()).isTrue();
		}

		@Test
		void keepsCharactersWhole() {
			String text = "h\u00e9llo \u4e16\u754c \ud83d\ude00\n".repeat(3000);
			String command = "for i in $(seq 3000); do echo 'h\u00e9llo \u4e16\u754c \ud83d\ude00'; done";
			assertThat(commands().run(command).out()).isEqualTo(text);
		}

		@Test
		void nobodyHasToReadIt() {
			Runtime runtime = Runtime.getRuntime();
			System.gc();
			long before = runtime.totalMemory() - runtime.freeMemory();
			try (SandboxHandle handle = commands().start("yes 0123456789 | head -c 200000000")) {
				assertThat(handle.exit().block()).isEqualTo(new SandboxExit(0, null, false, true));
				assertThat(handle.discardedBytes()).isEqualTo(200_000_000 - (1 << 20));
				System.gc();
				assertThat(runtime.totalMemory() - runtime.freeMemory() - before).isLessThan(4_000_000);
			}
		}

		@Test
		void aSlowSubscriberDoesNotDelayTheCommand() {
			try (SandboxHandle handle = commands().start("yes | head -c 3000000",
					(request) -> request.maxOutputBytes(10_000_000))) {
				List<byte[]> received = new ArrayList<>();
				CompletableFuture<Void> done = handle.output().doOnNext((chunk) -> {
					handle.exit().block();
					received.add(chunk.data());
				}).then().toFuture();
				assertThat(handle.exit().block().exitCode()).isZero();
				done.join();
				assertThat(received.stream().mapToInt((data) -> data.length).sum()).isEqualTo(3_000_000);
			}
		}

		@Test
		void isEmptyStandardInputUnlessAskedFor() {
			assertThat(commands().run("cat; echo end").out()).isEqualTo("end\n");
		}

	}

	@Nested
	class Input {

		private SandboxHandle start(String command) {
			return commands().start(command,
					(request) -> request.attributes(SandboxAttributes.builder().stdin(true).build()));
		}

		@Test
		void reachesTheCommand() throws Exception {
			try (SandboxHandle handle = start("read line; echo got $line; cat")) {
				handle.stdin().write("one\ntwo".getBytes(StandardCharsets.UTF_8));
				handle.stdin().close();
				assertThat(handle.exit().block().exitCode()).isZero();
				assertThat(new String(Commands.output(handle, SandboxOutputChunk.Stdout.class)))
					.isEqualTo("got one\ntwo");
			}
		}

		@Test
		void aBlockedWriterDelaysNeitherCancelNorExit() {
			try (SandboxHandle handle = start("sleep 60")) {
				CompletableFuture<Throwable> writer = CompletableFuture.supplyAsync(() -> {
					try {
						handle.stdin().write(new byte[1_000_000]);
						return null;
					}
					catch (IOException ex) {
						return ex;
					}
				});
				await().pollDelay(Duration.ofMillis(100)).until(() -> !writer.isDone());
				handle.cancel();
				assertThat(handle.exit().block(Duration.ofSeconds(2)).signal()).isEqualTo(SandboxExit.CANCELLED);
				assertThat(writer.join()).isInstanceOf(IOException.class);
			}
		}

	}

}

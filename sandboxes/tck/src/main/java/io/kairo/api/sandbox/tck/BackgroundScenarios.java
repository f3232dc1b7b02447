package io.kairo.api.sandbox.tck;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for commands that run in the background of a session: they are read, given
 * input and ended while they and others run.
 */
abstract class BackgroundScenarios {

	abstract Trial trial();

	private SandboxHandle start(String command) {
		UnaryOperator<SandboxRequest.Builder> attributes = Trial
			.attributes((builder) -> builder.background(true).stdin(true).redirectErrorStream(true).tailBytes(10));
		return trial().start(command, (request) -> attributes.apply(request).maxOutputBytes(100));
	}

	private static void await(SandboxHandle handle, String wanted) {
		StringBuilder text = new StringBuilder();
		Objects.requireNonNull(handle.output().takeUntil((chunk) -> {
			text.append(Trial.text(chunk.data()));
			return text.indexOf(wanted) >= 0;
		}).then().toFuture().orTimeout(Trial.PATIENCE.toSeconds(), TimeUnit.SECONDS)).join();
		assertThat(text).contains(wanted);
	}

	private static void write(SandboxHandle handle, String text) throws IOException {
		handle.stdin().write(text.getBytes(StandardCharsets.UTF_8));
		handle.stdin().flush();
	}

	@Test
	void everyReaderOfARunningCommandBeginsAtTheStart() throws Exception {
		try (SandboxHandle handle = start("echo one; read a; echo $a; read b; echo $b")) {
			await(handle, "one\n");
			write(handle, "two\n");
			await(handle, "one\ntwo\n");
			await(handle, "one\ntwo\n");
			write(handle, "three\n");
			await(handle, "one\ntwo\nthree\n");
			assertThat(Trial.exit(handle).exitCode()).isZero();
		}
	}

	@Test
	void outputBeyondTheHeadIsCountedWhileTheCommandRunsAndItsEndIsRetained() throws Exception {
		try (SandboxHandle handle = start("seq 100 200; cat; echo end")) {
			Awaitility.await().atMost(Trial.PATIENCE).until(() -> handle.discardedBytes() > 0);
			assertThat(handle.exit().toFuture()).isNotDone();
			handle.stdin().close();
			assertThat(Trial.exit(handle).truncated()).isTrue();
			assertThat(Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class))).startsWith("100\n101\n")
				.endsWith("200\nend\n");
		}
	}

	@Test
	void inputThatIsNotReadEndsWithTheCommand() throws Exception {
		try (SandboxHandle handle = start("echo up; sleep 60")) {
			await(handle, "up\n");
			CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
				try {
					handle.stdin().write(new byte[1 << 20]);
				}
				catch (IOException ex) {
					// the input ended with the command
				}
			});
			handle.cancel();
			assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
			writer.get(Trial.PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
	}

	@Test
	void cancelEndsTheTreeOfOneCommandWhileOthersRunOn() throws Exception {
		Marker ended = trial().marker();
		Marker spared = trial().marker();
		String tree = "(setsid sh -c '(%s &)' &); (setsid %s &); %s & echo up; read line; echo $line; wait";
		try (SandboxHandle first = start(ended.in(tree)); SandboxHandle second = start(spared.in(tree))) {
			ended.awaitAlive(3);
			spared.awaitAlive(3);
			first.cancel();
			assertThat(Trial.exit(first).signal()).isEqualTo(SandboxExit.CANCELLED);
			ended.assertNoneAlive();
			assertThat(spared.alive()).isEqualTo(3);
			await(second, "up\n");
			write(second, "still here\n");
			await(second, "still here\n");
			second.cancel();
			Trial.exit(second);
			spared.assertNoneAlive();
		}
	}

}

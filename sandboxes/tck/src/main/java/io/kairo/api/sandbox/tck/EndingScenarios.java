package io.kairo.api.sandbox.tck;

import java.time.Duration;
import java.util.UUID;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxOutputChunk;
import io.kairo.api.sandbox.SandboxRequest;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Scenarios for commands that are ended by a timeout, by cancel or by close.
 */
abstract class EndingScenarios {

	private static final SandboxExit TIMED_OUT = new SandboxExit(-1, SandboxExit.TIMEOUT, true, false);

	private static final SandboxExit CANCELLED = new SandboxExit(-1, SandboxExit.CANCELLED, false, false);

	abstract Trial trial();

	private static String stdout(SandboxHandle handle) {
		return Trial.text(Trial.output(handle, SandboxOutputChunk.Stdout.class));
	}

	@Test
	void timeoutEndsTheCommandWithinASecondAndKeepsItsOutput() {
		trial().run("true");
		Duration timeout = Duration.ofMillis(700);
		Outcome outcome = trial().run("echo before; sleep 60; echo after", (request) -> request.timeout(timeout));
		assertThat(outcome.exit()).isEqualTo(TIMED_OUT);
		assertThat(outcome.out()).isEqualTo("before\n");
		assertThat(outcome.took()).isBetween(timeout, timeout.plus(Trial.DEADLINE));
	}

	@Test
	void shortestTimeoutEmitsTimeoutExit() {
		for (int i = 0; i < 5; i++) {
			assertThat(trial().run("sleep 60", (request) -> request.timeout(Duration.ofNanos(1))).exit())
				.isEqualTo(TIMED_OUT);
		}
	}

	@Test
	void timeoutRacingWithTheEndEmitsOneExit() {
		for (int i = 0; i < Trial.rounds(15, 30); i++) {
			Duration timeout = Duration.ofMillis(3 + i % 10);
			SandboxExit exit = trial().run("sleep 0.005", (request) -> request.timeout(timeout)).exit();
			assertThat(exit).isIn(new SandboxExit(0, null, false, false), TIMED_OUT);
		}
	}

	@Test
	void timeoutEndsACommandThatPrintsWithoutEnd() {
		trial().run("true");
		Duration timeout = Duration.ofMillis(700);
		Outcome outcome = trial().run("yes", (request) -> request.timeout(timeout).maxOutputBytes(1000));
		assertThat(outcome.exit()).isEqualTo(new SandboxExit(-1, SandboxExit.TIMEOUT, true, true));
		assertThat(outcome.out()).isEqualTo("y\n".repeat(500));
		assertThat(outcome.took()).isLessThan(timeout.plus(Trial.DEADLINE));
	}

	/**
	 * The container of a session, for example, and its files are still there after the
	 * end of a command that has printed faster than anybody read.
	 */
	@Test
	void endOfALoudCommandTakesNothingFromItsSession() {
		UnaryOperator<SandboxRequest.Builder> session = Trial.attributes((attributes) -> attributes.sessionId("loud"));
		String file = "\"${TMPDIR:-/tmp}/kairo-" + UUID.randomUUID() + "\"";
		trial().run("echo kept > " + file, session);
		String kept = trial().run("cat " + file, session).out();
		for (int i = 0; i < 3; i++) {
			boolean cancelled = i > 0;
			Duration timeout = cancelled ? Trial.PATIENCE : Duration.ofMillis(300);
			long end = System.nanoTime() + timeout.toNanos();
			try (SandboxHandle handle = trial().start("yes >&2 & yes",
					(request) -> session.apply(request).timeout(timeout).maxOutputBytes(1000))) {
				Disposable reader = handle.output().concatMap((chunk) -> Mono.never()).subscribe();
				if (cancelled) {
					await().atMost(Trial.PATIENCE).until(() -> handle.discardedBytes() > 0);
					end = System.nanoTime();
					handle.cancel();
				}
				assertThat(Trial.exit(handle).signal())
					.isEqualTo(cancelled ? SandboxExit.CANCELLED : SandboxExit.TIMEOUT);
				assertThat(Duration.ofNanos(System.nanoTime() - end)).isLessThan(Trial.DEADLINE);
				reader.dispose();
			}
		}
		assertThat(trial().run("cat " + file + "; rm -f " + file, session).out()).isEqualTo(kept);
	}

	@Test
	void cancellingTwiceEmitsOneExit() {
		try (SandboxHandle handle = trial().start("echo before; sleep 60")) {
			handle.output().blockFirst(Trial.PATIENCE);
			handle.cancel();
			handle.cancel();
			assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
			handle.cancel();
			assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
			assertThat(stdout(handle)).isEqualTo("before\n");
		}
	}

	@Test
	void shellDoesNotContinueWhenTheProgramItWaitsForIsEnded() {
		for (int i = 0; i < Trial.rounds(6, 20); i++) {
			try (SandboxHandle handle = trial().start("echo before; sh -c 'sleep 60; echo inner'; echo outer")) {
				handle.output().blockFirst(Trial.PATIENCE);
				handle.cancel();
				assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
				assertThat(stdout(handle)).isEqualTo("before\n");
			}
		}
	}

	@Test
	void cancellingRightAfterTheStartEndsTheCommand() {
		for (int i = 0; i < 10; i++) {
			try (SandboxHandle handle = trial().start("sleep 60")) {
				handle.cancel();
				assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
			}
		}
	}

	@Test
	void cancellingAfterTheEndChangesNothing() {
		try (SandboxHandle handle = trial().start("exit 7")) {
			SandboxExit exit = Trial.exit(handle);
			handle.cancel();
			assertThat(Trial.exit(handle)).isEqualTo(exit).isEqualTo(new SandboxExit(7, null, false, false));
		}
	}

	@Test
	void cancellingFromSeveralThreadsEmitsOneExit() {
		try (SandboxHandle handle = trial().start("sleep 60")) {
			Thread[] threads = new Thread[8];
			for (int i = 0; i < threads.length; i++) {
				threads[i] = new Thread((i % 2 == 0) ? handle::cancel : handle::close);
				threads[i].start();
			}
			assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
		}
	}

	@Test
	void closingTwiceEndsTheCommand() {
		SandboxHandle handle = trial().start("sleep 60");
		handle.close();
		handle.close();
		assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
		handle.close();
		assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
	}

	@Test
	void closingCompletesActiveSubscribers() {
		SandboxHandle handle = trial().start("echo before; sleep 60");
		handle.output().blockFirst(Trial.PATIENCE);
		var reader = handle.output().then().toFuture();
		handle.close();
		await().atMost(Trial.PATIENCE).until(reader::isDone);
		assertThat(reader).isNotCompletedExceptionally();
	}

	@Test
	void closingTheSandboxEndsItsCommandsAndRefusesNewOnes() throws Exception {
		SandboxHandle handle = trial().start("sleep 60");
		if (trial().closeSandbox()) {
			assertThat(Trial.exit(handle)).isEqualTo(CANCELLED);
			trial().assertRefused(SandboxErrorCode.CLOSED, "true", (request) -> request);
			trial().closeSandbox();
		}
		handle.close();
	}

}

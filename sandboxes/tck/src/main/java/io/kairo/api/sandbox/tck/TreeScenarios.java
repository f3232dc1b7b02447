package io.kairo.api.sandbox.tck;

import java.time.Duration;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for process trees. They end with their command. Each attempt to escape leaves
 * two sleeping processes; the test waits until both are running.
 */
abstract class TreeScenarios {

	/** Leaves a process without parent, session, process group and environment. */
	private static final String ORPHAN = "(env -i setsid sh -c '(%s &)' &); %s";

	abstract Trial trial();

	static Stream<String> attempts() {
		return Stream.of("%s & %s", "(setsid %s &); %s", "(setsid sh -c '(%s &)' &); %s",
				"trap '' TERM HUP INT; %s & %s", "(setsid sh -c 'trap \"\" TERM; %s & wait; %s' &); %s", "%s | %s",
				"nohup %s >/dev/null 2>&1 & exec %s", "sh -c 'kill -STOP $$; :' & %s & %s",
				"for i in 1 2 3 4 5 6 7 8 9 10; do (setsid %s &); done; %s");
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void timeoutEndsTheProcessTree(String attempt) {
		Marker marker = trial().marker();
		Duration timeout = Duration.ofMillis(200);
		while (!timeoutEnds(marker, attempt, timeout)) {
			timeout = timeout.multipliedBy(3);
			assertThat(timeout).as("the time in which the command starts its processes").isLessThan(Trial.PATIENCE);
		}
	}

	/**
	 * Returns false if the timeout came before the command had started its processes, as
	 * on a busy machine.
	 */
	private boolean timeoutEnds(Marker marker, String attempt, Duration timeout) {
		try (SandboxHandle handle = trial().start(marker.in(attempt), (request) -> request.timeout(timeout))) {
			long started = System.nanoTime();
			boolean alive = marker.awaitAlive(2, handle);
			assertThat(Trial.exit(handle)).isEqualTo(new SandboxExit(-1, SandboxExit.TIMEOUT, true, false));
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			marker.assertNoneAlive();
			assertThat(took).isLessThan(timeout.plus(Trial.DEADLINE));
			return alive;
		}
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void cancelEndsTheProcessTree(String attempt) {
		assertCancelEndsTheTree(attempt);
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void closeEndsTheProcessTree(String attempt) {
		Marker marker = trial().marker();
		SandboxHandle handle = trial().start(marker.in(attempt));
		marker.awaitAlive(2);
		handle.close();
		assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
		marker.assertNoneAlive();
	}

	@Test
	void closingTheSandboxEndsTheProcessTree() throws Exception {
		Marker marker = trial().marker();
		SandboxHandle handle = trial().start(marker.in("trap '' TERM; (setsid %s &); %s"));
		marker.awaitAlive(2);
		if (!trial().closeSandbox()) {
			handle.close();
		}
		Trial.exit(handle);
		marker.assertNoneAlive();
	}

	/**
	 * The exit is emitted with the complete output even if a background process holds the
	 * output open.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "%s & echo hi", "(setsid %s &); sleep 0.1; echo hi",
			"(setsid sh -c '(%s &)' &); sleep 0.1; echo hi", "trap '' TERM; %s & echo hi",
			"%s >/dev/null 2>&1 & echo hi" })
	void endOfTheShellEndsBackgroundProcesses(String attempt) {
		Marker marker = trial().marker();
		Outcome outcome = trial().run(marker.in(attempt));
		marker.assertNoneAlive();
		assertThat(outcome.out()).isEqualTo("hi\n");
		assertThat(outcome.exit()).isEqualTo(new SandboxExit(0, null, false, false));
		assertThat(outcome.took()).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void orphanWithoutSessionAndEnvironmentIsEndedOrTheReasonIsGiven() {
		if (trial().claims(SandboxCapability.TREE_KILL)) {
			assertCancelEndsTheTree(ORPHAN);
		}
		else {
			trial().assertReason(SandboxCapability.TREE_KILL);
			Marker marker = trial().marker();
			SandboxHandle handle = trial().start(marker.in(ORPHAN));
			marker.awaitAlive(2);
			handle.close();
			assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
		}
	}

	@Test
	void orphanThatHoldsTheOutputDoesNotDelayTheExit() {
		Marker marker = trial().marker();
		Outcome outcome = trial().run(marker.in("(env -i setsid sh -c '(%s &)' &); sleep 0.2; echo hi"));
		assertThat(outcome.exit().exitCode()).isZero();
		assertThat(outcome.out()).isEqualTo("hi\n");
		assertThat(outcome.took()).isLessThan(Duration.ofSeconds(5));
		if (trial().claims(SandboxCapability.TREE_KILL)) {
			marker.assertNoneAlive();
		}
	}

	@Test
	void closeDoesNotEndOtherCommands() {
		Marker marker = trial().marker();
		try (SandboxHandle spared = trial().start(marker.in("%s"));
				SandboxHandle handle = trial().start("(setsid sleep 60 &); sleep 60")) {
			marker.awaitAlive(1);
			handle.close();
			Trial.exit(handle);
			assertThat(marker.alive()).isEqualTo(1);
			assertThat(spared.exit().toFuture()).isNotDone();
		}
	}

	private void assertCancelEndsTheTree(String attempt) {
		Marker marker = trial().marker();
		try (SandboxHandle handle = trial().start(marker.in(attempt))) {
			marker.awaitAlive(2);
			long started = System.nanoTime();
			handle.cancel();
			assertThat(Trial.exit(handle).signal()).isEqualTo(SandboxExit.CANCELLED);
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			marker.assertNoneAlive();
			assertThat(took).isLessThan(Trial.DEADLINE);
		}
	}

}

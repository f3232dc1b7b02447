package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import io.kairo.api.sandbox.SandboxHandle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the process tree of a command ends with the command.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class LocalProcessTreeTests {

	/**
	 * The documented second, and time for the threads of a busy machine to be scheduled.
	 */
	private static final Duration DEADLINE = Duration.ofMillis(1000 + 300);

	private static final Duration TIMEOUT = Duration.ofMillis(400);

	private static final Duration PATIENCE = Duration.ofSeconds(60);

	private final LocalProcessSandbox sandbox = new LocalProcessSandbox();

	private final Marker marker = new Marker();

	private Commands commands;

	@BeforeEach
	void createCommands(@TempDir Path workspace) {
		this.commands = new Commands(this.sandbox, workspace);
	}

	@AfterEach
	void close() {
		this.sandbox.close();
		this.marker.close();
	}

	static List<String> attempts() {
		List<String> attempts = new ArrayList<>();
		attempts.add("env -i setsid %s & %s");
		attempts.add("(env -i nohup %s &); %s");
		attempts.add("set -m; %s & %s");
		attempts.add("trap '' TERM; for i in $(seq 150); do (setsid %s &); sleep 0.01; done; %s");
		return attempts;
	}

	private String command(String attempt) {
		return attempt.replace("%s", this.marker.sleep());
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void timeoutEndsTheProcessTree(String attempt) {
		Duration timeout = TIMEOUT;
		while (!timeoutEnds(attempt, timeout)) {
			timeout = timeout.multipliedBy(3);
			assertThat(timeout).as("the time in which the command starts its processes").isLessThan(PATIENCE);
		}
	}

	/**
	 * Returns false if the timeout came before the command had started its processes, as
	 * on a busy machine.
	 */
	private boolean timeoutEnds(String attempt, Duration timeout) {
		long started = System.nanoTime();
		try (SandboxHandle handle = this.commands.start(command(attempt), (request) -> request.timeout(timeout))) {
			CompletableFuture<Long> ended = handle.exit().map((exit) -> System.nanoTime()).toFuture();
			AtomicBoolean alive = new AtomicBoolean();
			await().atMost(PATIENCE).until(() -> {
				alive.set(this.marker.alive().size() > 1);
				return alive.get() || ended.isDone();
			});
			assertThat(handle.exit().block().timedOut()).isTrue();
			assertThat(this.marker.alive()).isEmpty();
			assertThat(Duration.ofNanos(ended.join() - started)).isLessThan(timeout.plus(DEADLINE));
			return alive.get();
		}
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void cancelEndsTheProcessTree(String attempt) {
		try (SandboxHandle handle = this.commands.start(command(attempt))) {
			await().until(() -> this.marker.alive().size() > 1);
			long started = System.nanoTime();
			handle.cancel();
			assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofMillis(500));
			handle.exit().block();
			Duration took = Duration.ofNanos(System.nanoTime() - started);
			assertThat(this.marker.alive()).isEmpty();
			assertThat(took).isLessThan(DEADLINE);
		}
	}

	@ParameterizedTest
	@MethodSource("attempts")
	void closingTheSandboxEndsTheProcessTree(String attempt) {
		this.commands.start(command(attempt));
		await().until(() -> this.marker.alive().size() > 1);
		this.sandbox.close();
		assertThat(this.marker.alive()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "%s & echo hi", "(setsid %s &); echo hi", "%s >/dev/null 2>&1 & echo hi",
			"(setsid sh -c '(%s &)' &); sleep 0.1; echo hi", "set -m; %s & disown; echo hi" })
	void endOfTheShellEndsBackgroundProcesses(String attempt) {
		Commands.Outcome outcome = this.commands.run(command(attempt));
		assertThat(this.marker.alive()).isEmpty();
		assertThat(outcome.out()).isEqualTo("hi\n");
		assertThat(outcome.exit().exitCode()).isZero();
		assertThat(outcome.leftovers()).isBetween(1, 3);
		assertThat(outcome.took()).isLessThan(Duration.ofSeconds(5));
	}

	@Test
	void leftoverProcessesAreCounted() {
		Commands.Outcome outcome = this.commands.run(command("%s & %s & %s & echo hi"));
		assertThat(outcome.leftovers()).isEqualTo(3);
		assertThat(this.commands.run("sleep 0.01 & wait").leftovers()).isZero();
	}

	@Test
	void childThatIsAboutToEndIsNotKilled() {
		// the grace period may be too short on a busy machine
		await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
			Commands.Outcome outcome = this.commands.run("exec > >(cat; sleep 0.03; echo late); echo hi; sleep 0.02");
			assertThat(outcome.out()).isEqualTo("hi\nlate\n");
			assertThat(outcome.leftovers()).isZero();
		});
	}

	@Test
	void leftoverProcessesOfALongRunningCommandAreEnded() {
		Commands.Outcome outcome = this.commands.run(command("(setsid %s >/dev/null 2>&1 &); sleep 2.2"));
		assertThat(outcome.leftovers()).isEqualTo(1);
		assertThat(this.marker.alive()).isEmpty();
	}

}

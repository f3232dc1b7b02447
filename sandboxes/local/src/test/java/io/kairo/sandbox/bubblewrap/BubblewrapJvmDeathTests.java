package io.kairo.sandbox.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.kairo.sandbox.process.JavaCommand;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that no command of a {@link BubblewrapSandbox} survives a kill of its JVM.
 */
@RequiresBubblewrap
@Timeout(120)
class BubblewrapJvmDeathTests {

	private static final int COMMANDS = 20;

	private static final int MOST_COMMANDS = 50;

	private static final int LONGEST_DELAY_MILLIS = 300;

	/** Number of JVMs that are killed while they start commands. */
	private static final int ROUNDS = Integer.getInteger("kairo.sandbox.kill.rounds", 4);

	private final String seconds = "8" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	@TempDir
	Path workspace;

	private long alive() {
		return ProcessHandle.allProcesses().filter((process) -> commandLine(process).contains(this.seconds)).count();
	}

	private static String commandLine(ProcessHandle process) {
		try {
			return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	private Process startJvm(int commands) throws IOException {
		JvmUser.grantAccess(this.workspace);
		return new ProcessBuilder(JavaCommand.of(List.of(), ManyCommandsProgram.class, this.workspace.toString(),
				"(env -i setsid sh -c '(sleep %s &)' &); trap '' TERM; sleep %s".replace("%s", this.seconds),
				Integer.toString(commands)))
			.redirectErrorStream(true)
			.start();
	}

	@Test
	void killOfTheJvmEndsItsCommands() throws Exception {
		Process jvm = startJvm(COMMANDS);
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			await().atMost(Duration.ofSeconds(60)).until(() -> alive() >= 2 * COMMANDS);
			jvm.destroyForcibly().waitFor();
			await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(alive()).isZero());
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

	@Test
	@Timeout(7200)
	void killOfTheJvmEndsCommandsThatAreBeingStarted() throws Exception {
		long seed = System.nanoTime();
		Random random = new Random(seed);
		int killedWhileStarting = 0;
		for (int round = 0; round < ROUNDS; round++) {
			int before = random.nextInt(MOST_COMMANDS / 5);
			int delay = random.nextInt(LONGEST_DELAY_MILLIS);
			Process jvm = startJvm(MOST_COMMANDS);
			try (BufferedReader output = jvm.inputReader()) {
				assertThat(output.readLine()).isEqualTo("started");
				assertThat(output.lines().limit(before).count()).isEqualTo(before);
				assertThat(jvm.waitFor(delay, TimeUnit.MILLISECONDS)).isFalse();
				// unlike Process, ProcessHandle leaves the output open
				jvm.toHandle().destroyForcibly();
				jvm.waitFor();
				long started = before + output.lines().count();
				killedWhileStarting += (started > 0 && started < MOST_COMMANDS) ? 1 : 0;
				await().during(Duration.ofMillis(300))
					.atMost(Duration.ofSeconds(20))
					.untilAsserted(() -> assertThat(alive()).isZero());
			}
			catch (AssertionError | ConditionTimeoutException ex) {
				throw new AssertionError(
						"Seed " + seed + ", round " + round + ", " + delay + " ms after " + before + " commands", ex);
			}
			finally {
				jvm.destroyForcibly().waitFor();
			}
		}
		assertThat(killedWhileStarting).as("seed %s", seed).isPositive();
	}

}

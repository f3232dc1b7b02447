package io.kairo.sandbox.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that nothing survives the JVM of a {@link BubblewrapSandbox}, however that ends.
 */
@RequiresBubblewrap
@Timeout(120)
class BubblewrapJvmDeathTests {

	private static final int COMMANDS = 20;

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

	private Process startJvm() throws IOException {
		Machine.handOver(this.workspace);
		return new ProcessBuilder(ProcessHandle.current().info().command().orElseThrow(), "-cp",
				System.getProperty("java.class.path"), ManyCommands.class.getName(), this.workspace.toString(),
				"(env -i setsid sh -c '(sleep %s &)' &); trap '' TERM; sleep %s".replace("%s", this.seconds),
				Integer.toString(COMMANDS))
			.redirectErrorStream(true)
			.start();
	}

	@Test
	void nothingSurvivesAKillOfTheJvm() throws Exception {
		Process jvm = startJvm();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			await().atMost(Duration.ofSeconds(60)).until(() -> alive() >= 2 * COMMANDS);
			jvm.destroyForcibly().waitFor();
			await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(alive()).isZero());
		}
		finally {
			jvm.destroyForcibly();
		}
	}

}

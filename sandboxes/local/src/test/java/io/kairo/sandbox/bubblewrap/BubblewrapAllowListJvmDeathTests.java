package io.kairo.sandbox.bubblewrap;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

import io.kairo.sandbox.process.JavaCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that neither a command with an allow-list nor its relay survives the JVM.
 */
@RequiresBubblewrap
@Timeout(120)
class BubblewrapAllowListJvmDeathTests {

	private final String seconds = "7" + ThreadLocalRandom.current().nextLong(10_000_000L, 100_000_000L);

	@TempDir
	Path workspace;

	/**
	 * Returns the command lines of the running command and of its relay, which has the
	 * socket of the proxy as an argument.
	 */
	private List<String> alive(Process jvm) {
		return ProcessHandle.allProcesses()
			.map(BubblewrapAllowListJvmDeathTests::commandLine)
			.filter((line) -> line.contains(this.seconds)
					|| (line.contains("-" + jvm.pid() + "-") && line.contains("/proxy")))
			.toList();
	}

	private static String commandLine(ProcessHandle process) {
		try {
			return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"));
		}
		catch (IOException ex) {
			return "";
		}
	}

	@Test
	void killOfTheJvmEndsTheCommandAndItsRelay() throws Exception {
		JvmUser.grantAccess(this.workspace);
		Process jvm = new ProcessBuilder(JavaCommand.of(List.of(), AllowListProgram.class, this.workspace.toString(),
				"(setsid sleep %s &); trap '' TERM; sleep %s".replace("%s", this.seconds)))
			.redirectErrorStream(true)
			.start();
		try (BufferedReader output = jvm.inputReader()) {
			assertThat(output.readLine()).isEqualTo("started");
			await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
				assertThat(alive(jvm)).anyMatch((line) -> line.startsWith("sleep"));
				assertThat(alive(jvm)).anyMatch((line) -> line.startsWith("/usr/bin/p") && line.contains("/proxy"));
			});
			jvm.destroyForcibly().waitFor();
			await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(alive(jvm)).isEmpty());
		}
		finally {
			jvm.destroyForcibly().waitFor();
		}
	}

}

package io.kairo.autoconfigure.sandbox;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.kairo.autoconfigure.ThisJvm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a command of an application whose JVM is terminated.
 */
@DisabledOnOs(OS.WINDOWS)
@Timeout(120)
class SandboxShutdownTests {

	@TempDir
	Path directory;

	private final List<Process> applications = new ArrayList<>();

	@AfterEach
	void endApplications() throws InterruptedException {
		for (Process application : this.applications) {
			application.destroyForcibly().waitFor();
		}
	}

	private Process startApplication(String command, String... properties) throws IOException {
		List<String> arguments = new ArrayList<>(ThisJvm.command());
		arguments.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp", System.getProperty("java.class.path"),
				CommandApplication.class.getName(), "--test.command=" + command, "--test.directory=" + this.directory,
				"--kairo.state-dir=" + this.directory.resolve("state"), "--spring.main.web-application-type=none",
				"--spring.main.banner-mode=off", "--logging.level.root=error"));
		arguments.addAll(List.of(properties));
		Process application = new ProcessBuilder(arguments).redirectErrorStream(true).start();
		this.applications.add(application);
		return application;
	}

	private static List<String> terminate(Process application) throws Exception {
		BufferedReader output = application.inputReader();
		assertThat(output.readLine()).isEqualTo("started");
		application.toHandle().destroy();
		List<String> last = output.lines().toList();
		assertThat(application.waitFor(60, TimeUnit.SECONDS)).isTrue();
		return last;
	}

	@Test
	void commandFinishesDuringGracefulShutdown() throws Exception {
		Process application = startApplication("sleep 1; exit 7");
		assertThat(terminate(application)).contains("ended with 7");
	}

	@Test
	void commandIsEndedImmediatelyIfContextIsNotClosed() throws Exception {
		Process application = startApplication("sleep 100; exit 7", "--spring.main.register-shutdown-hook=false");
		long started = System.nanoTime();
		assertThat(terminate(application)).noneMatch((line) -> line.startsWith("ended with"));
		assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - started)).isLessThan(30);
	}

	@Test
	void commandIsEndedAfterShutdownTimeout() throws Exception {
		Process application = startApplication("sleep 100; exit 7", "--spring.lifecycle.timeout-per-shutdown-phase=1s");
		assertThat(terminate(application)).contains("ended with -1");
	}

}

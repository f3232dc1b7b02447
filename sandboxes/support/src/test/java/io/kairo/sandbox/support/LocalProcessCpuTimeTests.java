package io.kairo.sandbox.support;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.host.PrivateDirectory;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.process.NativeLauncher;
import io.kairo.sandbox.support.process.ProcessLauncher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for the CPU time of a {@link LocalProcess} without a control group.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class LocalProcessCpuTimeTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	/** Uses CPU time until a file has gone. */
	private static final String BUSY = "while [ -e go ]; do :; done";

	@TempDir
	private Path directory;

	private LocalProcess start(String command, ProcessLauncher launcher) throws IOException {
		Files.writeString(this.directory.resolve("go"), "");
		ProcessSpec spec = new ProcessSpec(List.of("/bin/sh", "-c", command), this.directory,
				Map.of("PATH", "/usr/bin:/bin"), false, Duration.ZERO, null, null);
		return LocalProcess.start(spec, new OutputLog(1000, 0, new PrivateDirectory(this.directory.resolve("log"))),
				launcher);
	}

	private static NativeLauncher launcher() {
		NativeLauncher launcher = NativeLauncher.find();
		assumeThat(launcher).as(NativeLauncher.problem()).isNotNull();
		return launcher;
	}

	/**
	 * Waits until a process has used CPU time, which it writes to a file.
	 */
	private void awaitBusy() {
		await().until(() -> Files.exists(this.directory.resolve("busy")));
	}

	@Test
	void timeOfALeftoverProcessIsAdded() throws Exception {
		LocalProcess process = start("{ i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; : > busy; " + BUSY
				+ "; } > /dev/null 2>&1 & while ! [ -e busy ]; do sleep 0.01; done", launcher());
		process.await();
		assertThat(process.settle()).isPositive();
		assertThat(process.cpuTime()).isGreaterThan(SHORT);
		process.release();
	}

	@Test
	void timeOfAKilledProcessAndItsChildrenIsMeasured() throws Exception {
		LocalProcess process = start(
				"sh -c 'i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; : > busy; " + BUSY + "'; true", launcher());
		awaitBusy();
		process.kill();
		assertThat(process.cpuTime()).isGreaterThan(SHORT);
		process.release();
	}

	@Test
	void timeOfAProcessOfTheJavaPlatformIsNotMeasured() throws Exception {
		LocalProcess process = start("true", ProcessBuilder::start);
		process.await();
		process.settle();
		assertThat(process.cpuTime()).isNull();
		process.release();
	}

}

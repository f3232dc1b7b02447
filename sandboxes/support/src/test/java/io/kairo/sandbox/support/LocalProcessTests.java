package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.kairo.host.PrivateDirectory;
import io.kairo.host.ProcStat;
import io.kairo.sandbox.support.output.OutputLog;
import io.kairo.sandbox.support.output.ProcessOutput;
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
 * Tests for a {@link LocalProcess} without a control group: its CPU time, and its output
 * when it leaves processes.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class LocalProcessTests {

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

	/**
	 * The JDK may drain and close the pipe at the end of the process, so that the result
	 * of the first wait says nothing about the processes that are left.
	 */
	@Test
	void outputIsAwaitedAgainWhenLeftoversHaveEnded() throws Exception {
		List<Boolean> alive = new ArrayList<>();
		LocalProcess process = start("sleep 60 & echo $! > left", new ProcessLauncher() {

			@Override
			public Process launch(ProcessBuilder builder) throws IOException {
				return builder.start();
			}

			@Override
			public ProcessOutput launch(ProcessBuilder builder, OutputLog log) throws IOException {
				ProcessOutput output = ProcessLauncher.super.launch(builder, log);
				return (ProcessOutput) Proxy.newProxyInstance(ProcessOutput.class.getClassLoader(),
						new Class<?>[] { ProcessOutput.class }, (proxy, method, arguments) -> {
							if (method.getName().equals("await")) {
								String left = Files.readString(LocalProcessTests.this.directory.resolve("left"));
								ProcStat state = ProcStat.read(Long.parseLong(left.strip()));
								alive.add(state != null && state.alive());
							}
							return method.invoke(output, arguments);
						});
			}

		});
		process.await();
		assertThat(process.settle()).isPositive();
		assertThat(alive).as("whether the leftover runs, at each wait for output").containsExactly(true, false);
		process.release();
	}

}

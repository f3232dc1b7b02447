package io.kairo.sandbox.process;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.CommandSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the commands of a JVM that is shut down or killed.
 */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class LocalProcessJvmDeathTests {

	private final Marker marker = new Marker();

	private final List<Process> jvms = new ArrayList<>();

	@TempDir
	Path temp;

	@AfterEach
	void endJvms() throws InterruptedException {
		for (Process jvm : this.jvms) {
			jvm.destroyForcibly().waitFor();
		}
		this.marker.close();
		// the shell of a command writes to the directory in the end
		await().until(() -> Marker.processes(this.temp.toString()).isEmpty());
	}

	private Process startJvm(String... arguments) throws IOException {
		List<String> command = JavaCommand.of(List.of("-Djava.io.tmpdir=" + this.temp), SingleCommandProgram.class,
				arguments);
		Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
		this.jvms.add(jvm);
		return jvm;
	}

	/**
	 * Returns a command with two sleeping processes: one in a session of its own, and one
	 * that ignores SIGTERM.
	 */
	private String stubbornCommand() {
		return "(setsid %s &); trap '' TERM; %s".replace("%s", this.marker.sleep());
	}

	private List<Path> privateDirectories() throws IOException {
		try (Stream<Path> files = Files.list(this.temp)) {
			return files.filter((file) -> file.getFileName().toString().startsWith("kairo-")).toList();
		}
	}

	@Test
	void shutdownEndsTheProcessTreeAndDeletesPrivateFiles() throws Exception {
		Process jvm = startJvm(stubbornCommand());
		BufferedReader output = jvm.inputReader();
		assertThat(output.readLine()).isEqualTo("started");
		await().until(() -> this.marker.alive().size() == 2);
		assertThat(privateDirectories()).hasSize(1);
		jvm.toHandle().destroy();
		assertThat(jvm.waitFor(20, TimeUnit.SECONDS)).isTrue();
		assertThat(output.readLine()).isNull();
		assertThat(this.marker.alive()).isEmpty();
		assertThat(privateDirectories()).isEmpty();
		assertThat(HostFeatures.controlGroups(jvm.pid())).isEmpty();
	}

	@Test
	void shutdownWaitsForRunningCommands() throws Exception {
		Process jvm = startJvm("sleep 1; exit 7", "in order");
		BufferedReader output = jvm.inputReader();
		assertThat(output.readLine()).isEqualTo("started");
		jvm.toHandle().destroy();
		assertThat(output.readLine()).isEqualTo("ended with 7");
		assertThat(jvm.waitFor(20, TimeUnit.SECONDS)).isTrue();
		assertThat(privateDirectories()).isEmpty();
	}

	@Test
	void nextSandboxSweepsLeftoversOfAKilledJvm() throws Exception {
		Process jvm = startJvm(stubbornCommand());
		assertThat(jvm.inputReader().readLine()).isEqualTo("started");
		await().until(() -> this.marker.alive().size() == 2);
		jvm.destroyForcibly().waitFor();
		assertThat(privateDirectories()).hasSize(1);
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.temp)))) {
			assertThat(sandbox.capabilities().has(SandboxCapability.SURVIVES_NO_JVM)).isFalse();
			assertThat(sandbox.capabilities().reason(SandboxCapability.SURVIVES_NO_JVM)).contains("kill -9");
			assertThat(new Commands(sandbox, this.temp).run("true").exit().exitCode()).isZero();
			assertThat(privateDirectories()).hasSize(1);
			assertThat(HostFeatures.controlGroups(jvm.pid())).isEmpty();
			if (HostFeatures.canCreateControlGroups()) {
				await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(this.marker.alive()).isEmpty());
			}
		}
		assertThat(privateDirectories()).isEmpty();
	}

	@Test
	void sandboxKeepsResourcesOfARunningJvm() throws Exception {
		Process jvm = startJvm(stubbornCommand());
		assertThat(jvm.inputReader().readLine()).isEqualTo("started");
		await().until(() -> this.marker.alive().size() == 2);
		try (LocalProcessSandbox sandbox = new LocalProcessSandbox(
				CommandSettings.DEFAULTS.with((commands) -> commands.directory(this.temp)))) {
			new Commands(sandbox, this.temp).run("true");
		}
		assertThat(this.marker.alive()).hasSize(2);
		assertThat(privateDirectories()).hasSize(1);
	}

}

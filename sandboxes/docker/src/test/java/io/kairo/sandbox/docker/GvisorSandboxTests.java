package io.kairo.sandbox.docker;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests {@link DockerSandbox} with gVisor.
 */
@RequiresRunsc
class GvisorSandboxTests {

	private final ExecutionSandbox sandbox = TestContainers.sandbox(GvisorContainers.options()
		.with((changes) -> changes
			.commands((commands) -> commands.limits(new CommandLimits(256L << 20, 1.0, 100, 1L << 20)))));

	@TempDir
	Path directory;

	@AfterEach
	void closeSandbox() throws Exception {
		((AutoCloseable) this.sandbox).close();
	}

	private Path workspace() throws IOException {
		return Files.createDirectories(this.directory.toRealPath().resolve("workspace"));
	}

	/**
	 * Returns the exit code or the signal of a command, and its output.
	 */
	private String run(String command) throws IOException {
		try (SandboxHandle handle = this.sandbox.start(new SandboxRequest.Builder(command, workspace()).build())) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return ((exit.signal() != null) ? exit.signal() : exit.exitCode()) + " " + output.toString().strip();
		}
	}

	@Test
	void commandsRunOnTheKernelOfGvisor() throws Exception {
		assertThat(run("dmesg | head -n 1")).contains("Starting gVisor");
		assertThat(run("id -u")).isEqualTo("0 " + TestContainers.NOBODY.uid());
	}

	@Test
	void limitOfProcessesIsNotClaimed() {
		assertThat(this.sandbox.capabilities().has(SandboxCapability.PIDS_LIMIT)).isFalse();
		assertThat(this.sandbox.capabilities().reason(SandboxCapability.PIDS_LIMIT)).contains("threads of gVisor");
	}

	@Test
	void limitOfMemoryIsClaimedWhereItEndsCommands() throws Exception {
		String end = run("perl -e '$x = q(x) x 400e6; print 1'");
		assertThat(end).isEqualTo(
				this.sandbox.capabilities().has(SandboxCapability.MEMORY_LIMIT) ? SandboxExit.LOST + " " : "0 1");
		assertThat(run("echo next")).isEqualTo("0 next");
	}

	@Test
	void limitOfFilesIsClaimedAndEnforced() throws Exception {
		assertThat(this.sandbox.capabilities().has(SandboxCapability.FILE_SIZE_LIMIT)).isTrue();
		run("head -c 5000000 /dev/zero > large");
		assertThat(workspace().resolve("large")).hasSize(1 << 20);
	}

	@Test
	void directoryThatTakesThePlaceOfTheWorkspaceIsShown() throws Exception {
		Files.writeString(workspace().resolve("name"), "old");
		assertThat(run("cat name")).isEqualTo("0 old");
		Files.move(workspace(), workspace().resolveSibling("former"));
		Files.writeString(workspace().resolve("name"), "new");
		assertThat(run("cat name; echo x > written")).isEqualTo("0 new");
		assertThat(workspace().resolve("written")).hasContent("x\n");
		assertThat(workspace().resolveSibling("former")).isDirectoryNotContaining("glob:**written");
	}

	@Test
	void containerIsUsedAgain() throws Exception {
		run("echo kept > /tmp/file");
		assertThat(run("cat /tmp/file")).isEqualTo("0 kept");
	}

	@Test
	void commandCannotEndProcess1() throws Exception {
		run("echo kept > /tmp/file");
		assertThat(run("kill -9 1; kill -9 -1")).startsWith("1 ");
		assertThat(run("cat /tmp/file")).isEqualTo("0 kept");
	}

	@Test
	void streamsCanBeOpenedByTheirNames() throws Exception {
		assertThat(run("echo out | dd of=/dev/stdout status=none")).isEqualTo("0 out");
	}

	@Test
	void processesOfGvisorEndWithTheSandbox() throws Exception {
		DockerEngine engine = new DockerEngine(GvisorContainers.options());
		run("true");
		List<String> containers = engine.containers(ContainerFactory.LABEL, List.of())
			.stream()
			.filter((container) -> workspaceOf(container.getLabels()).startsWith(this.directory.toString()))
			.map((container) -> container.getId())
			.toList();
		assertThat(containers).hasSize(1);
		assertThat(isNamed(containers.get(0))).isTrue();
		closeSandbox();
		await().atMost(Duration.ofSeconds(20)).until(() -> !isNamed(containers.get(0)));
	}

	private static String workspaceOf(Map<String, String> labels) {
		return labels.getOrDefault("io.kairo.workspace", "");
	}

	/**
	 * Returns whether a process of the host has an argument with a text.
	 */
	private static boolean isNamed(String text) throws IOException {
		try (var processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
			for (Path process : processes) {
				try {
					byte[] arguments = Files.readAllBytes(process.resolve("cmdline"));
					if (new String(arguments, StandardCharsets.ISO_8859_1).contains(text)) {
						return true;
					}
				}
				catch (IOException ex) {
					// it has ended
				}
			}
		}
		return false;
	}

}

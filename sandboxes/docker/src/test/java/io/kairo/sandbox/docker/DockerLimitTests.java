package io.kairo.sandbox.docker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the limits of each process of a command in a container, and those that containers
 * have by default.
 */
@RequiresDocker
class DockerLimitTests {

	private final ExecutionSandbox sandbox = TestContainers.sandbox(TestContainers.options()
		.with((changes) -> changes.commands((commands) -> commands.limits(
				new CommandLimits(null, null, null, null, new ProcessLimits(256L << 20, Duration.ofSeconds(1), 32))))));

	@TempDir
	Path workspace;

	@AfterEach
	void closeSandbox() throws Exception {
		((AutoCloseable) this.sandbox).close();
	}

	/**
	 * Returns the exit code or the signal of a command, and its output.
	 */
	private String run(String command) throws Exception {
		try (SandboxHandle handle = this.sandbox
			.start(new SandboxRequest.Builder(command, this.workspace.toRealPath()).build())) {
			SandboxExit exit = Objects.requireNonNull(handle.exit().block(Duration.ofMinutes(1)));
			StringBuilder output = new StringBuilder();
			handle.output()
				.toIterable()
				.forEach((chunk) -> output.append(new String(chunk.data(), StandardCharsets.UTF_8)));
			return exit.exitCode() + " " + output.toString().strip();
		}
	}

	@Test
	void processThatExceedsItsProcessorTimeIsEnded() throws Exception {
		assertThat(run("perl -e '1 while 1'")).startsWith("137 ");
	}

	@Test
	void processOpensNoMoreFilesThanItsLimit() throws Exception {
		assertThat(run("perl -e 'for (1 .. 100) { open $file[$_], q(<), q(/dev/null) or print(qq($_: $!)), exit }'"))
			.isEqualTo("0 30: Too many open files");
	}

	@Test
	void processGetsNoMoreAddressSpaceThanItsLimit() throws Exception {
		assertThat(run("perl -e '$x = q(x) x 300e6; print 1' 2>&1")).contains("Out of memory");
		assertThat(run("perl -e '$x = q(x) x 20e6; print 1'")).isEqualTo("0 1");
	}

	@Test
	void containerIsLimitedByDefault() throws Exception {
		SandboxCapabilities capabilities = this.sandbox.capabilities();
		assertThat(capabilities.reason(SandboxCapability.CPU_LIMIT)).endsWith("processors, by a control group");
		assertThat(capabilities.reason(SandboxCapability.PIDS_LIMIT)).isEqualTo("512 processes, by a control group");
		String group = "/sys/fs/cgroup";
		assertThat(run("cat " + group + "/pids/pids.max " + group + "/pids.max 2>/dev/null")).contains("512");
		assertThat(run("cat " + group + "/memory/memory.limit_in_bytes " + group + "/memory.max 2>/dev/null"))
			.contains(Long.toString(DockerOptions.DEFAULT_MEMORY_BYTES));
		assertThat(run("cat " + group + "/cpu/cpu.cfs_quota_us " + group + "/cpu.max 2>/dev/null"))
			.contains(Integer.toString(100_000 * Math.min(2, Runtime.getRuntime().availableProcessors())));
	}

	@Test
	void launcherIsNotLimited() throws Exception {
		assertThat(run("grep -E 'Max (address space|open files|cpu time)' /proc/1/limits"))
			.contains("Max address space         unlimited", "Max cpu time              unlimited")
			.doesNotContain(" 32 ");
	}

}

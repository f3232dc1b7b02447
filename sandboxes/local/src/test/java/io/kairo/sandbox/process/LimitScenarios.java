package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxExit;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.ProcessLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Scenarios for resource limits: each test exceeds a limit and verifies the outcome. A
 * sandbox that cannot enforce the limit on this machine has to refuse the command.
 */
@Timeout(120)
public abstract class LimitScenarios {

	@TempDir
	Path workspace;

	protected abstract ExecutionSandbox createSandbox(CommandLimits limits);

	protected SandboxRequest prepare(SandboxRequest request) {
		return request;
	}

	/**
	 * Runs a command if the sandbox enforces the limit, and asserts that it is refused
	 * otherwise. Returns null in that case.
	 */
	private Outcome runIfEnforced(CommandLimits limits, SandboxCapability capability, String command) throws Exception {
		ExecutionSandbox sandbox = createSandbox(limits);
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			SandboxRequest request = prepare(
					new SandboxRequest.Builder(command, this.workspace).timeout(Duration.ofSeconds(60)).build());
			if (sandbox.capabilities().has(capability)) {
				return outcome(sandbox.start(request));
			}
			assertThat(sandbox.capabilities().reason(capability)).isNotBlank().isNotEqualTo("no limit is set");
			assertThatExceptionOfType(SandboxException.class).isThrownBy(() -> sandbox.start(request))
				.satisfies((ex) -> assertThat(ex.code()).isEqualTo(SandboxErrorCode.BACKEND_UNAVAILABLE))
				.withMessageContaining("cannot be enforced");
			assertThat(HostFeatures.canCreateControlGroups() && isRoot()).as("this machine can enforce the limit")
				.isFalse();
			return null;
		}
	}

	private static boolean isRoot() {
		return System.getProperty("user.name").equals("root");
	}

	private static Outcome outcome(SandboxHandle handle) {
		try (handle) {
			SandboxExit exit = handle.exit().block();
			StringBuilder output = new StringBuilder();
			handle.output().toIterable().forEach((chunk) -> output.append(new String(chunk.data())));
			return new Outcome(exit, output.toString());
		}
	}

	@Test
	void memoryLimitKillsTheProcessAndIsReported() throws Exception {
		CommandLimits limits = new CommandLimits(64L << 20, null, null, null);
		Outcome outcome = runIfEnforced(limits, SandboxCapability.MEMORY_LIMIT, "(tail /dev/zero); echo $? fine");
		if (outcome != null) {
			assertThat(outcome.output()).contains("137 fine\n", "has hit its limit of 67108864 bytes of memory");
			assertThat(outcome.exit().exitCode()).isZero();
		}
	}

	@Test
	void memoryLimitAppliesToAllProcessesTogether() throws Exception {
		CommandLimits limits = new CommandLimits(64L << 20, null, null, null);
		String half = "perl -e '$x = q(x) x 40e6; sleep 2; print qq(held\\n)' & ";
		Outcome outcome = runIfEnforced(limits, SandboxCapability.MEMORY_LIMIT, half + half + "wait; true");
		if (outcome != null) {
			assertThat(outcome.output()).contains("has hit its limit").doesNotContain("held\nheld\n");
		}
	}

	@Test
	void processLimitRefusesFurtherProcesses() throws Exception {
		CommandLimits limits = new CommandLimits(null, null, 20, null);
		String bomb = "perl -e 'for (1..100) { my $p = fork; last unless defined $p; if (!$p) { sleep 3; exit } $n++ }"
				+ " print $n < 100 ? qq(refused\\n) : qq(all\\n)'";
		Outcome outcome = runIfEnforced(limits, SandboxCapability.PIDS_LIMIT, bomb);
		if (outcome != null) {
			assertThat(outcome.output()).contains("refused\n", "has hit its limit of 20 processes");
		}
	}

	@Test
	void cpuLimitAppliesToAllProcessesTogether() throws Exception {
		CommandLimits limits = new CommandLimits(null, 0.2, null, null);
		String burn = "perl -e '$t = time + 4; 1 while time < $t; @u = times; printf qq(%.2f\\n), $u[0] + $u[1]'";
		Outcome outcome = runIfEnforced(limits, SandboxCapability.CPU_LIMIT, burn + " & " + burn + " & wait");
		if (outcome != null) {
			double sum = outcome.output().lines().mapToDouble(Double::parseDouble).sum();
			assertThat(outcome.output().lines()).hasSize(2);
			assertThat(sum).as("processor time of 4 to 5 seconds: %s", outcome.output()).isBetween(0.1, 1.9);
		}
	}

	@Test
	void limitsOfEachProcessNeedNoControlGroup() throws Exception {
		CommandLimits limits = new CommandLimits(null, null, null, null,
				new ProcessLimits(256L << 20, Duration.ofSeconds(1), 64));
		ExecutionSandbox sandbox = createSandbox(limits);
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			Outcome outcome = outcome(sandbox.start(prepare(new SandboxRequest.Builder(
					"ulimit -v; ulimit -n; perl -e '$x = q(x) x 400e6' 2> /dev/null || echo no memory; (while :; do :; done); echo $?",
					this.workspace)
				.timeout(Duration.ofSeconds(60))
				.build())));
			assertThat(outcome.output().lines()).contains("262144", "64", "no memory", "137");
			assertThat(sandbox.capabilities().has(SandboxCapability.MEMORY_LIMIT)).isFalse();
			assertThat(sandbox.capabilities().reason(SandboxCapability.MEMORY_LIMIT)).contains("no limit is set",
					"268435456 bytes of address space of each process");
			assertThat(sandbox.capabilities().reason(SandboxCapability.CPU_LIMIT)).contains("PT1S");
		}
	}

	@Test
	void fileSizeLimitStopsLargerWrites() throws Exception {
		CommandLimits limits = new CommandLimits(null, null, null, 1L << 20);
		Outcome outcome = runIfEnforced(limits, SandboxCapability.FILE_SIZE_LIMIT,
				"exec 2> /dev/null; (head -c 3000000 /dev/zero > big); echo $?; wc -c < big; truncate -s 1T sparse; head -c 1000 /dev/zero > small && echo small");
		assertThat(outcome).isNotNull();
		// JVMs and their child processes ignore SIGXFSZ, and get an error instead
		assertThat(outcome.output()).containsPattern("(153|1)\n1048576\n").contains("small\n");
		assertThat(this.workspace.resolve("big")).hasSize(1 << 20);
	}

	@Test
	void limitsAreClaimedOnlyIfConfigured() throws Exception {
		ExecutionSandbox sandbox = createSandbox(CommandLimits.NONE);
		try (AutoCloseable closing = (AutoCloseable) sandbox) {
			assertThat(sandbox.capabilities().enforced())
				.doesNotContainAnyElementsOf(Set.of(SandboxCapability.MEMORY_LIMIT, SandboxCapability.CPU_LIMIT,
						SandboxCapability.PIDS_LIMIT, SandboxCapability.FILE_SIZE_LIMIT));
		}
	}

	private record Outcome(SandboxExit exit, String output) {

	}

}

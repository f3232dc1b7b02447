package io.kairo.sandbox.docker;

import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.sandbox.backend.BackendProblem;
import io.kairo.sandbox.support.CommandLimits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@link DockerCapabilities}.
 */
class DockerCapabilitiesTests {

	private static final CommandLimits LIMITS = new CommandLimits(256L << 20, 1.0, 100, null);

	@Test
	void limitsThatAreSetAreClaimed() {
		SandboxCapabilities capabilities = DockerCapabilities.of(null, LIMITS, true, Map.of(), false, false);
		assertThat(capabilities.has(SandboxCapability.MEMORY_LIMIT)).isTrue();
		assertThat(capabilities.has(SandboxCapability.PIDS_LIMIT)).isTrue();
		assertThat(capabilities.has(SandboxCapability.FILE_SIZE_LIMIT)).isFalse();
	}

	@Test
	void limitsThatTheRuntimeIgnoresAreNotClaimed() {
		SandboxCapabilities capabilities = DockerCapabilities.of(null, LIMITS, true,
				Map.of(SandboxCapability.MEMORY_LIMIT, "ignored", SandboxCapability.FILE_SIZE_LIMIT, "ignored"), false,
				false);
		assertThat(capabilities.has(SandboxCapability.MEMORY_LIMIT)).isFalse();
		assertThat(capabilities.reason(SandboxCapability.MEMORY_LIMIT)).isEqualTo("ignored");
		assertThat(capabilities.reason(SandboxCapability.FILE_SIZE_LIMIT)).isEqualTo("no limit is set");
		assertThat(capabilities.has(SandboxCapability.CPU_LIMIT)).isTrue();
	}

	@Test
	void nothingIsClaimedIfTheEngineCannotBeUsed() {
		BackendProblem problem = Reason.MOUNTS_UNPROVEN.found("detail");
		SandboxCapabilities capabilities = DockerCapabilities.of(problem, LIMITS, true, Map.of(), false, false);
		for (SandboxCapability capability : SandboxCapability.values()) {
			assertThat(capabilities.has(capability)).isFalse();
			assertThat(capabilities.reason(capability)).isEqualTo("mounts_unproven: detail");
		}
	}

}

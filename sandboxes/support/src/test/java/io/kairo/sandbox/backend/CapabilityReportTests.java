package io.kairo.sandbox.backend;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link CapabilityReport}.
 */
class CapabilityReportTests {

	private final CapabilityReport report = new CapabilityReport();

	@Test
	void reportWithoutStatementsClaimsNothing() {
		SandboxCapabilities capabilities = this.report.of("none");
		assertThat(capabilities.backend()).isEqualTo("none");
		assertThat(capabilities.enforced()).isEmpty();
		assertThat(capabilities.reason(SandboxCapability.MEMORY_LIMIT)).isEmpty();
		assertThat(this.report.claims(SandboxCapability.MEMORY_LIMIT)).isFalse();
	}

	@Test
	void lastStatementAboutACapabilityCounts() {
		this.report.claim(SandboxCapability.MEMORY_LIMIT, "cgroup")
			.lack(SandboxCapability.MEMORY_LIMIT, "not delegated")
			.lack(SandboxCapability.PIDS_LIMIT, "not delegated")
			.claim(SandboxCapability.PIDS_LIMIT, "rlimit")
			.claim(SandboxCapability.PIDS_LIMIT, "cgroup");
		assertThat(this.report.claims(SandboxCapability.MEMORY_LIMIT)).isFalse();
		assertThat(this.report.claims(SandboxCapability.PIDS_LIMIT)).isTrue();
		SandboxCapabilities capabilities = this.report.of("test");
		assertThat(capabilities.enforced()).containsExactly(SandboxCapability.PIDS_LIMIT);
		assertThat(capabilities.reason(SandboxCapability.MEMORY_LIMIT)).isEqualTo("not delegated");
		assertThat(capabilities.reason(SandboxCapability.PIDS_LIMIT)).isEqualTo("cgroup");
	}

	@Test
	void allCapabilitiesAreLackedForOneReasonUntilTheyAreClaimed() {
		this.report.claim(SandboxCapability.MEMORY_LIMIT, "cgroup").lackAll("not available");
		assertThat(this.report.of("test").enforced()).isEmpty();
		this.report.claim(SandboxCapability.PIDS_LIMIT, "cgroup");
		SandboxCapabilities capabilities = this.report.of("test");
		assertThat(capabilities.enforced()).containsExactly(SandboxCapability.PIDS_LIMIT);
		assertThat(SandboxCapability.values()).allSatisfy((capability) -> assertThat(capabilities.reason(capability))
			.isEqualTo((capability == SandboxCapability.PIDS_LIMIT) ? "cgroup" : "not available"));
	}

	@Test
	void limitIsClaimedIfItIsSet() {
		this.report.limit(SandboxCapability.MEMORY_LIMIT, "64 MB", "cgroup")
			.claim(SandboxCapability.PIDS_LIMIT, "rlimit")
			.limit(SandboxCapability.PIDS_LIMIT, null, "cgroup");
		SandboxCapabilities capabilities = this.report.of("test");
		assertThat(capabilities.enforced()).containsExactly(SandboxCapability.MEMORY_LIMIT);
		assertThat(capabilities.reason(SandboxCapability.MEMORY_LIMIT)).isEqualTo("64 MB, by cgroup");
		assertThat(capabilities.reason(SandboxCapability.PIDS_LIMIT)).isEqualTo("no limit is set");
	}

	@Test
	void capabilitiesDoNotChangeWithLaterStatements() {
		SandboxCapabilities capabilities = this.report.claim(SandboxCapability.MEMORY_LIMIT, "cgroup").of("test");
		this.report.lackAll("not available");
		assertThat(capabilities.enforced()).containsExactly(SandboxCapability.MEMORY_LIMIT);
		assertThat(capabilities.reason(SandboxCapability.MEMORY_LIMIT)).isEqualTo("cgroup");
	}

	@Test
	@SuppressWarnings("NullAway")
	void missingCapabilityOrBackendIsRefused() {
		assertThatNullPointerException().isThrownBy(() -> this.report.claim(null, "cgroup"));
		assertThatNullPointerException().isThrownBy(() -> this.report.lack(null, "not available"));
		assertThatNullPointerException().isThrownBy(() -> this.report.of(null));
	}

}

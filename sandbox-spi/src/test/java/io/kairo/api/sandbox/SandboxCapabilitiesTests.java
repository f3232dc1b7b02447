package io.kairo.api.sandbox;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link SandboxCapabilities} and {@link SandboxCapability}.
 */
class SandboxCapabilitiesTests {

	private final SandboxCapabilities capabilities = SandboxCapabilities.of("process",
			Set.of(SandboxCapability.TREE_KILL, SandboxCapability.STDIN),
			Map.of(SandboxCapability.NETWORK_OFF, "needs a network namespace"));

	@Test
	void capabilitiesContainBackendAndEnforcedConstants() {
		assertThat(this.capabilities.backend()).isEqualTo("process");
		assertThat(this.capabilities.enforced()).containsExactly(SandboxCapability.TREE_KILL, SandboxCapability.STDIN);
		assertThat(this.capabilities.has(SandboxCapability.STDIN)).isTrue();
		assertThat(this.capabilities.has(SandboxCapability.NETWORK_OFF)).isFalse();
	}

	@Test
	void reasonExplainsCapabilityThatIsNotEnforced() {
		assertThat(this.capabilities.reason(SandboxCapability.NETWORK_OFF)).isEqualTo("needs a network namespace");
		assertThat(this.capabilities.reason(SandboxCapability.READ_ONLY)).isEmpty();
	}

	@Test
	void noneEnforcesNoCapability() {
		SandboxCapabilities none = SandboxCapabilities.none("process");
		assertThat(none.backend()).isEqualTo("process");
		assertThat(none.enforced()).isEmpty();
		for (SandboxCapability capability : SandboxCapability.values()) {
			assertThat(none.has(capability)).isFalse();
			assertThat(none.reason(capability)).isEmpty();
		}
	}

	@Test
	void capabilitiesAreImmutable() {
		Set<SandboxCapability> enforced = EnumSet.of(SandboxCapability.STDIN);
		Map<SandboxCapability, String> reasons = new EnumMap<>(Map.of(SandboxCapability.STDIN, "a pipe"));
		SandboxCapabilities copied = SandboxCapabilities.of("process", enforced, reasons);
		enforced.clear();
		reasons.clear();
		copied.enforced().clear();
		assertThat(copied.has(SandboxCapability.STDIN)).isTrue();
		assertThat(copied.reason(SandboxCapability.STDIN)).isEqualTo("a pipe");
	}

	@Test
	void toStringContainsRequiredBackendAndEnforcedConstants() {
		assertThat(this.capabilities).hasToString("process[TREE_KILL, STDIN]");
		assertThatNullPointerException().isThrownBy(() -> SandboxCapabilities.none(null));
	}

	@Test
	void capabilityConstantsKeepTheirOrder() {
		assertThat(SandboxCapability.values()).startsWith(SandboxCapability.READ_ONLY, SandboxCapability.NETWORK_OFF,
				SandboxCapability.NETWORK_ALLOW_LIST, SandboxCapability.TREE_KILL, SandboxCapability.SURVIVES_NO_JVM,
				SandboxCapability.FILE_CONFINEMENT, SandboxCapability.MOUNTS, SandboxCapability.PROTECTED_PATHS,
				SandboxCapability.ENV_ISOLATION, SandboxCapability.MEMORY_LIMIT, SandboxCapability.CPU_LIMIT,
				SandboxCapability.PIDS_LIMIT, SandboxCapability.FILE_SIZE_LIMIT, SandboxCapability.STDIN,
				SandboxCapability.SIGNAL_DISTINCT);
	}

}

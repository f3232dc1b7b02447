package io.kairo.api.sandbox.tck;

import java.util.Set;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Scenarios for capabilities: a backend declares the capabilities that it enforces, has
 * the required ones and gives reasons for missing ones.
 */
abstract class CapabilityScenarios {

	abstract Trial trial();

	abstract Set<SandboxCapability> required();

	private SandboxCapabilities capabilities() {
		return trial().sandbox().capabilities();
	}

	@Test
	void sandboxHasRequiredCapabilities() {
		for (SandboxCapability capability : required()) {
			assertThat(capabilities().has(capability)).as("%s (%s)", capability, capabilities().reason(capability))
				.isTrue();
		}
	}

	@Test
	void capabilitiesNameTheBackend() {
		assertThat(capabilities().backend()).isNotBlank();
	}

	@Test
	void missingCapabilitiesHaveAReason() {
		for (SandboxCapability capability : SandboxCapability.values()) {
			if (!capabilities().has(capability)) {
				trial().assertReason(capability);
			}
		}
	}

	@Test
	void commandsDoNotChangeCapabilities() {
		Set<SandboxCapability> before = capabilities().enforced();
		trial().run("true");
		assertThat(capabilities().enforced()).isEqualTo(before);
	}

}

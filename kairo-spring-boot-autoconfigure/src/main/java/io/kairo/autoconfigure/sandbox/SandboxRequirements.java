package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Holds a sandbox to what the configuration requires of it: what is set and cannot be
 * enforced is a failure at start-up.
 */
final class SandboxRequirements {

	private final SandboxProperties properties;

	SandboxRequirements(SandboxProperties properties) {
		this.properties = properties;
	}

	void check(ExecutionSandbox sandbox) {
		SandboxCapabilities capabilities = sandbox.capabilities();
		if (this.properties.requireIsolation()) {
			require(capabilities, SandboxCapability.FILE_CONFINEMENT, "require-isolation", "true");
		}
		NetworkAccess network = this.properties.network();
		if (network == NetworkAccess.NONE) {
			require(capabilities, SandboxCapability.NETWORK_OFF, "network", "none");
		}
		else if (network == NetworkAccess.ALLOW_LIST) {
			require(capabilities, SandboxCapability.NETWORK_ALLOW_LIST, "network", "allow-list");
		}
	}

	private static void require(SandboxCapabilities capabilities, SandboxCapability capability, String property,
			String value) {
		if (!capabilities.has(capability)) {
			String reason = capabilities.reason(capability);
			throw new InvalidConfigurationPropertyValueException("kairo.sandbox." + property, value,
					"the sandbox '" + capabilities.backend() + "' does not enforce "
							+ capability.name().toLowerCase(Locale.ROOT).replace('_', ' ')
							+ (reason.isEmpty() ? "" : " (" + reason + ")")
							+ "; use another sandbox or remove the property");
		}
	}

}

package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Checks at start-up that a sandbox enforces everything that the configuration requires.
 */
final class SandboxRequirements {

	private final SandboxProperties properties;

	private final @Nullable SandboxChoice choice;

	/**
	 * Creates the check.
	 * @param properties the requirements
	 * @param choice the selection of the sandbox; null if the application defines the
	 * sandbox
	 */
	SandboxRequirements(SandboxProperties properties, @Nullable SandboxChoice choice) {
		this.properties = properties;
		this.choice = choice;
	}

	void check(ExecutionSandbox sandbox) {
		SandboxCapabilities capabilities = sandbox.capabilities();
		if (this.properties.requireIsolation()) {
			require(capabilities, SandboxCapability.FILE_CONFINEMENT, "require-isolation", "true");
		}
		requireLimits(capabilities);
		NetworkAccess network = this.properties.network();
		if (network == NetworkAccess.NONE) {
			require(capabilities, SandboxCapability.NETWORK_OFF, "network", "none");
		}
		else if (network == NetworkAccess.ALLOW_LIST) {
			require(capabilities, SandboxCapability.NETWORK_ALLOW_LIST, "network", "allow-list");
		}
	}

	private void requireLimits(SandboxCapabilities capabilities) {
		SandboxLimitsProperties limits = this.properties.limits();
		requireIfSet(capabilities, SandboxCapability.MEMORY_LIMIT, "limits.memory", limits.memory());
		requireIfSet(capabilities, SandboxCapability.CPU_LIMIT, "limits.cpus", limits.cpus());
		requireIfSet(capabilities, SandboxCapability.PIDS_LIMIT, "limits.pids", limits.pids());
		requireIfSet(capabilities, SandboxCapability.FILE_SIZE_LIMIT, "limits.file-size", limits.fileSize());
		// requires a separate file system for temporary files
		requireIfSet(capabilities, SandboxCapability.FILE_CONFINEMENT, "limits.tmpfs-size", limits.tmpfsSize());
	}

	private void requireIfSet(SandboxCapabilities capabilities, SandboxCapability capability, String property,
			@Nullable Object value) {
		if (value != null) {
			require(capabilities, capability, property, value.toString());
		}
	}

	private void require(SandboxCapabilities capabilities, SandboxCapability capability, String property,
			String value) {
		if (!capabilities.has(capability)) {
			String reason = capabilities.reason(capability);
			throw new InvalidConfigurationPropertyValueException("kairo.sandbox." + property, value,
					"the sandbox '" + capabilities.backend() + "' does not enforce "
							+ capability.name().toLowerCase(Locale.ROOT).replace('_', ' ')
							+ (reason.isEmpty() ? "" : " (" + reason + ")")
							+ ((this.choice != null) ? ", and was selected because: " + this.choice.reason() : "")
							+ "; use another sandbox or remove the property");
		}
	}

}

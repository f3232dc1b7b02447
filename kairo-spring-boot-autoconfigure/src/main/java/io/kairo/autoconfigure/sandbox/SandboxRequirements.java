package io.kairo.autoconfigure.sandbox;

import java.util.Locale;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Holds a sandbox to what the configuration requires of it: what is set and cannot be
 * enforced is a failure at start-up.
 */
final class SandboxRequirements {

	private static final String ADVICE = ", or write kairo.sandbox.type=process out where it is enough that the "
			+ "limit stops commands that go wrong";

	private static final Log logger = LogFactory.getLog(SandboxRequirements.class);

	private final SandboxProperties properties;

	private final @Nullable SandboxChoice choice;

	private final LimitsInPlace limits;

	/**
	 * Creates the check.
	 * @param properties what is required
	 * @param choice why there is this sandbox; null if the application made it
	 * @param limits whether limits that are not claimed are there knowingly
	 */
	SandboxRequirements(SandboxProperties properties, @Nullable SandboxChoice choice, LimitsInPlace limits) {
		this.properties = properties;
		this.choice = choice;
		this.limits = limits;
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
		requireLimit(capabilities, SandboxCapability.MEMORY_LIMIT, "limits.memory", limits.memory());
		requireLimit(capabilities, SandboxCapability.CPU_LIMIT, "limits.cpus", limits.cpus());
		requireLimit(capabilities, SandboxCapability.PIDS_LIMIT, "limits.pids", limits.pids());
		requireLimit(capabilities, SandboxCapability.FILE_SIZE_LIMIT, "limits.file-size", limits.fileSize());
		// what has no file system of its own for temporary files cannot bound it
		if (limits.tmpfsSize() != null) {
			require(capabilities, SandboxCapability.FILE_CONFINEMENT, "limits.tmpfs-size",
					limits.tmpfsSize().toString());
		}
	}

	private void requireLimit(SandboxCapabilities capabilities, SandboxCapability capability, String property,
			@Nullable Object value) {
		if (value == null) {
			return;
		}
		if (!capabilities.has(capability) && this.limits.knowingly()) {
			logger.warn("Kairo: kairo.sandbox.%s stops commands that go wrong, and no others (%s)".formatted(property,
					capabilities.reason(capability)));
			return;
		}
		require(capabilities, capability, property, value.toString());
	}

	private void require(SandboxCapabilities capabilities, SandboxCapability capability, String property,
			String value) {
		if (!capabilities.has(capability)) {
			String reason = capabilities.reason(capability);
			throw new InvalidConfigurationPropertyValueException("kairo.sandbox." + property, value,
					"the sandbox '" + capabilities.backend() + "' does not enforce "
							+ capability.name().toLowerCase(Locale.ROOT).replace('_', ' ')
							+ (reason.isEmpty() ? "" : " (" + reason + ")")
							+ ((this.choice != null) ? ", and was chosen because: " + this.choice.reason() : "")
							+ "; use another sandbox or remove the property"
							+ (property.startsWith("limits.") ? ADVICE : ""));
		}
	}

}

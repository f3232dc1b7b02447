package io.kairo.sandbox.backend;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;

/**
 * A report of the capabilities that a backend enforces, with the means, and of the
 * others, with the reasons. The last statement about a capability counts. Not safe for
 * use by several threads.
 */
public final class CapabilityReport {

	private final EnumSet<SandboxCapability> enforced = EnumSet.noneOf(SandboxCapability.class);

	private final Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);

	/**
	 * Creates a report without statements.
	 */
	public CapabilityReport() {
	}

	/**
	 * States that a capability is enforced.
	 * @param capability the capability
	 * @param means the means
	 * @return this report
	 */
	public CapabilityReport claim(SandboxCapability capability, String means) {
		this.enforced.add(capability);
		this.reasons.put(capability, means);
		return this;
	}

	/**
	 * States that a capability is not enforced.
	 * @param capability the capability
	 * @param reason the reason
	 * @return this report
	 */
	public CapabilityReport lack(SandboxCapability capability, String reason) {
		this.enforced.remove(capability);
		this.reasons.put(capability, reason);
		return this;
	}

	/**
	 * States that no capability is enforced.
	 * @param reason the reason
	 * @return this report
	 */
	public CapabilityReport lackAll(String reason) {
		for (SandboxCapability capability : SandboxCapability.values()) {
			lack(capability, reason);
		}
		return this;
	}

	/**
	 * States that a limit is enforced if it is set.
	 * @param limit the capability
	 * @param set the limit as it is set, null for none
	 * @param means the means
	 * @return this report
	 */
	public CapabilityReport limit(SandboxCapability limit, @Nullable String set, String means) {
		return (set != null) ? claim(limit, set + ", by " + means) : lack(limit, "no limit is set");
	}

	/**
	 * Returns whether a capability is enforced.
	 * @param capability the capability
	 * @return whether it was claimed last
	 */
	public boolean claims(SandboxCapability capability) {
		return this.enforced.contains(capability);
	}

	/**
	 * Returns the capabilities.
	 * @param backend the name of the backend
	 * @return the capabilities with their reasons
	 */
	public SandboxCapabilities of(String backend) {
		return SandboxCapabilities.of(backend, this.enforced, this.reasons);
	}

}

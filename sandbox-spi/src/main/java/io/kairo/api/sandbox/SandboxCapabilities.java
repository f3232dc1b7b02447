package io.kairo.api.sandbox;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The capabilities that a sandbox enforces, with reasons for those that it does not.
 * Immutable.
 */
public final class SandboxCapabilities {

	private final String backend;

	private final EnumSet<SandboxCapability> enforced;

	private final EnumMap<SandboxCapability, String> reasons;

	private SandboxCapabilities(String backend, Collection<SandboxCapability> enforced,
			Map<SandboxCapability, String> reasons) {
		this.backend = Objects.requireNonNull(backend, "backend");
		this.enforced = EnumSet.noneOf(SandboxCapability.class);
		this.enforced.addAll(enforced);
		this.reasons = new EnumMap<>(SandboxCapability.class);
		this.reasons.putAll(reasons);
	}

	/**
	 * Creates capabilities.
	 * @param backend the name of the backend, such as {@code process}
	 * @param enforced the enforced capabilities
	 * @param reasons readable explanations of how a capability is enforced, or why it is
	 * not
	 * @return the capabilities
	 */
	public static SandboxCapabilities of(String backend, Set<SandboxCapability> enforced,
			Map<SandboxCapability, String> reasons) {
		return new SandboxCapabilities(backend, enforced, reasons);
	}

	/**
	 * Creates the capabilities of a backend that enforces nothing.
	 * @param backend the name of the backend
	 * @return the capabilities
	 */
	public static SandboxCapabilities none(String backend) {
		return new SandboxCapabilities(backend, Set.of(), Map.of());
	}

	/**
	 * Returns the name of the backend.
	 * @return the name, such as {@code process}
	 */
	public String backend() {
		return this.backend;
	}

	/**
	 * Returns the enforced capabilities.
	 * @return a new set
	 */
	public Set<SandboxCapability> enforced() {
		return EnumSet.copyOf(this.enforced);
	}

	/**
	 * Returns whether a capability is enforced.
	 * @param capability the capability
	 * @return true if it is enforced
	 */
	public boolean has(SandboxCapability capability) {
		return this.enforced.contains(capability);
	}

	/**
	 * Returns an explanation of how a capability is enforced, or why it is not.
	 * @param capability the capability
	 * @return the explanation, empty if the backend does not give one
	 */
	public String reason(SandboxCapability capability) {
		return this.reasons.getOrDefault(capability, "");
	}

	@Override
	public String toString() {
		return this.backend + this.enforced;
	}

}

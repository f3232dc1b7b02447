package io.kairo.api.sandbox;

import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * What a sandbox enforces, and why it does not enforce the rest. Immutable.
 *
 * @since 0.1.0
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
	 * @param enforced what is enforced
	 * @param reasons how something is enforced, or why it is not, for people to read
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
	 * Returns everything that is enforced.
	 * @return a set of the caller's own
	 */
	public Set<SandboxCapability> enforced() {
		return EnumSet.copyOf(this.enforced);
	}

	/**
	 * Returns whether something is enforced.
	 * @param capability what to look up
	 * @return true if it is enforced
	 */
	public boolean has(SandboxCapability capability) {
		return this.enforced.contains(capability);
	}

	/**
	 * Returns how something is enforced, or why it is not.
	 * @param capability what to look up
	 * @return a sentence, empty when the backend gives none
	 */
	public String reason(SandboxCapability capability) {
		return this.reasons.getOrDefault(capability, "");
	}

	@Override
	public String toString() {
		return this.backend + this.enforced;
	}

}

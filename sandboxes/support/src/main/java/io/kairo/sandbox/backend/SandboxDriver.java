package io.kairo.sandbox.backend;

import org.jspecify.annotations.Nullable;

/**
 * Creates the sandboxes of one type. In a Spring application each bean of this type adds
 * its type to {@code kairo.sandbox.type}, {@code kairo.sandbox.auto-order} and the types
 * of tenants. Used by one thread, at start-up.
 */
public interface SandboxDriver {

	/**
	 * Returns the type, as in the configuration.
	 * @return lower-case letters and digits, such as {@code docker}
	 */
	String type();

	/**
	 * Returns the configuration that is missing to create sandboxes.
	 * @return a property and an instruction, such as {@code kairo.sandbox.docker.image;
	 * set it to an image}; null if nothing is missing, as by default
	 */
	default @Nullable String missing() {
		return null;
	}

	/**
	 * Returns the problem that settings are to this type on every machine.
	 * @param settings the settings
	 * @return the problem, or null if there is none, as by default
	 */
	default @Nullable BackendProblem unsupported(CommandSettings settings) {
		return null;
	}

	/**
	 * Creates a sandbox. Called only if nothing is missing and the settings are
	 * supported.
	 * @param settings the settings for commands from the configuration, possibly of one
	 * tenant
	 * @return a new sandbox, to be closed by the caller
	 */
	BackendSandbox create(CommandSettings settings);

}

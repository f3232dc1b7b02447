package io.kairo.boot;

import java.util.Map;

import io.kairo.api.sandbox.SandboxCapability;

/**
 * The workers of the auto-configured sandboxes that run commands on other machines. Safe
 * for use by several threads.
 */
public interface SandboxWorkers {

	/**
	 * Requires a capability for the commands of each sandbox with workers, unless a
	 * worker that answers lacks it. An application can thus start without workers.
	 * @param capability the capability
	 */
	void requireOfUnknown(SandboxCapability capability);

	/**
	 * Describes the last known states of the workers. Asks none of them.
	 * @return status, number of commands and problem by address, in the order of the
	 * configuration
	 */
	Map<String, String> describe();

}

package io.kairo.api.sandbox;

import io.kairo.api.tenant.TenantContext;

/**
 * Runs commands. Safe for use by several threads: any number of commands run side by side
 * without seeing each other through the sandbox. An implementation that is
 * {@link AutoCloseable} ends every command when it is closed.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface ExecutionSandbox {

	/**
	 * Starts a command and returns without waiting for it, however fast it is. Whatever
	 * the command does from then on, a failing exit and a timeout included, is told by
	 * the handle.
	 * @param request what to run; a part of it that this sandbox cannot honour is
	 * refused, never ignored
	 * @return the running command; its resources are freed when it is closed, at the
	 * latest after the timeout of the request
	 * @throws SandboxException if the command could not be started at all
	 */
	SandboxHandle start(SandboxRequest request);

	/**
	 * Returns what this sandbox enforces, not what it hopes.
	 * @return the capabilities; none by default
	 * @since 0.1.0
	 */
	default SandboxCapabilities capabilities() {
		return SandboxCapabilities.none(getClass().getSimpleName());
	}

	/**
	 * Returns what this sandbox enforces for the commands of one tenant, where tenants
	 * differ.
	 * @param tenant whose commands they are
	 * @return the capabilities; unless overridden those that hold for everybody
	 * @since 0.1.0
	 */
	default SandboxCapabilities capabilities(TenantContext tenant) {
		return capabilities();
	}

}

package io.kairo.api.sandbox;

import java.util.List;

import io.kairo.api.tenant.TenantContext;

/**
 * Intercepts the start of every command of a sandbox, for instance to observe, limit,
 * approve or audit commands. Safe for use by several threads.
 */
@FunctionalInterface
public interface SandboxInterceptor {

	/**
	 * Handles the start of a command, by passing the request on or by refusing it.
	 * @param request the command to start
	 * @param chain the remaining interceptors and the sandbox
	 * @return the running command: the handle that the chain returned, or a wrapper of it
	 * @throws SandboxException if the command could not be started, or is refused
	 */
	SandboxHandle intercept(SandboxRequest request, Chain chain);

	/**
	 * Returns a sandbox that passes every request through interceptors before the given
	 * sandbox starts the command. It has the capabilities of the given sandbox and is
	 * {@link AutoCloseable}: closing it closes the given sandbox if that can be closed.
	 * @param sandbox the sandbox that starts the commands
	 * @param interceptors the interceptors, the first one outermost; copied
	 * @return the intercepted sandbox
	 */
	static ExecutionSandbox around(ExecutionSandbox sandbox, List<? extends SandboxInterceptor> interceptors) {
		return new InterceptedSandbox(sandbox, interceptors);
	}

	/**
	 * The remaining interceptors and, behind them, the sandbox.
	 */
	interface Chain {

		/**
		 * Passes a request on.
		 * @param request the given request or another one
		 * @return the running command
		 * @throws SandboxException if the command could not be started, or is refused
		 */
		SandboxHandle proceed(SandboxRequest request);

		/**
		 * Returns the capabilities of the sandbox for the commands of a tenant.
		 * @param tenant the tenant, usually the tenant of the request
		 * @return the capabilities
		 */
		SandboxCapabilities capabilities(TenantContext tenant);

	}

}

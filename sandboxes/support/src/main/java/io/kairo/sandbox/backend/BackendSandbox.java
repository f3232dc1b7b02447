package io.kairo.sandbox.backend;

import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * The sandbox of a backend. It applies interceptors to its own commands. It reports a
 * problem that prevents its use on this machine, and then refuses every request. Safe for
 * use by several threads.
 */
public abstract class BackendSandbox implements ExecutionSandbox, AutoCloseable {

	private final ExecutionSandbox direct = new Direct();

	private volatile Supplier<ExecutionSandbox> entrance = () -> this.direct;

	/**
	 * Creates a sandbox without interceptors.
	 */
	protected BackendSandbox() {
	}

	/**
	 * Returns the problem that prevents the use of the backend, by a self-test if it has
	 * one.
	 * @return the problem, or null if the backend can be used, as by default
	 */
	public @Nullable BackendProblem problem() {
		return null;
	}

	/**
	 * Starts the command of a request, behind the interceptors.
	 * @param request the request
	 * @return the running command
	 * @throws SandboxException as {@link #start(SandboxRequest)} does
	 */
	protected abstract SandboxHandle run(SandboxRequest request);

	/**
	 * {@inheritDoc}
	 * @throws SandboxException with {@link SandboxErrorCode#UNSUPPORTED_REQUEST},
	 * {@link SandboxErrorCode#INVALID_DIRECTORY},
	 * {@link SandboxErrorCode#INVALID_COMMAND},
	 * {@link SandboxErrorCode#INVALID_ENVIRONMENT},
	 * {@link SandboxErrorCode#BACKEND_UNAVAILABLE},
	 * {@link SandboxErrorCode#START_FAILED}, {@link SandboxErrorCode#SETUP_FAILED} or
	 * {@link SandboxErrorCode#CLOSED}
	 */
	@Override
	public final SandboxHandle start(SandboxRequest request) {
		return this.entrance.get().start(request);
	}

	/**
	 * Sets the interceptors, before the sandbox is used.
	 * @param interceptors supplies the interceptors, the first one outermost, when a
	 * command is started; they are asked for once
	 */
	public final void interceptWith(Supplier<List<SandboxInterceptor>> interceptors) {
		this.entrance = () -> {
			ExecutionSandbox intercepted = SandboxInterceptor.around(this.direct, interceptors.get());
			this.entrance = () -> intercepted;
			return intercepted;
		};
	}

	/**
	 * Returns the sandbox without its interceptors.
	 * @return the sandbox that starts the commands
	 */
	public final ExecutionSandbox withoutInterceptors() {
		return this.direct;
	}

	/**
	 * Ends all commands, and waits some seconds for them. Closing a second time does
	 * nothing.
	 */
	@Override
	public abstract void close();

	/**
	 * The sandbox behind the interceptors.
	 */
	private final class Direct implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return run(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return BackendSandbox.this.capabilities();
		}

		@Override
		public SandboxCapabilities capabilities(TenantContext tenant) {
			return BackendSandbox.this.capabilities(tenant);
		}

	}

}

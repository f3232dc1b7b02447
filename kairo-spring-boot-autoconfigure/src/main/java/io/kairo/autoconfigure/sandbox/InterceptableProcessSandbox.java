package io.kairo.autoconfigure.sandbox;

import java.util.List;
import java.util.function.Supplier;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxInterceptor;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.sandbox.process.LocalProcessSandbox;
import io.kairo.sandbox.process.LocalProcessSandboxOptions;

import org.springframework.util.function.SingletonSupplier;

/**
 * A {@link LocalProcessSandbox} that applies interceptors to its own commands.
 */
class InterceptableProcessSandbox extends LocalProcessSandbox implements InterceptableSandbox {

	private final ExecutionSandbox direct = new Direct();

	private volatile Supplier<ExecutionSandbox> intercepted = () -> this.direct;

	InterceptableProcessSandbox(LocalProcessSandboxOptions options) {
		super(options);
	}

	@Override
	public void interceptWith(Supplier<List<SandboxInterceptor>> interceptors) {
		this.intercepted = SingletonSupplier.of(() -> SandboxInterceptor.around(this.direct, interceptors.get()));
	}

	@Override
	public ExecutionSandbox withoutInterceptors() {
		return this.direct;
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return this.intercepted.get().start(request);
	}

	private SandboxHandle startDirectly(SandboxRequest request) {
		return super.start(request);
	}

	/**
	 * The sandbox behind the interceptors.
	 */
	private final class Direct implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return startDirectly(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return InterceptableProcessSandbox.this.capabilities();
		}

	}

}

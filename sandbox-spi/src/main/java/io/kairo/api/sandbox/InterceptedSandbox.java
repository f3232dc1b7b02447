package io.kairo.api.sandbox;

import java.nio.file.Path;
import java.util.List;

import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox whose requests pass through interceptors.
 */
final class InterceptedSandbox implements ExecutionSandbox, AutoCloseable {

	private final ExecutionSandbox sandbox;

	private final List<SandboxInterceptor> interceptors;

	InterceptedSandbox(ExecutionSandbox sandbox, List<? extends SandboxInterceptor> interceptors) {
		this.sandbox = sandbox;
		this.interceptors = List.copyOf(interceptors);
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return new Remaining(0).proceed(request);
	}

	@Override
	public SandboxCapabilities capabilities() {
		return this.sandbox.capabilities();
	}

	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		return this.sandbox.capabilities(tenant);
	}

	@Override
	public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		return this.sandbox.temporaryFiles(tenant, sessionId);
	}

	@Override
	public @Nullable Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
		return this.sandbox.overlay(tenant, sessionId, lower, layer);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		return this.sandbox.sharedDirectories(tenant);
	}

	@Override
	public void close() throws Exception {
		if (this.sandbox instanceof AutoCloseable closeable) {
			closeable.close();
		}
	}

	/**
	 * The chain of the interceptors from an index on, followed by the sandbox.
	 */
	private final class Remaining implements SandboxInterceptor.Chain {

		private final int index;

		Remaining(int index) {
			this.index = index;
		}

		@Override
		public SandboxHandle proceed(SandboxRequest request) {
			return (this.index < InterceptedSandbox.this.interceptors.size())
					? InterceptedSandbox.this.interceptors.get(this.index)
						.intercept(request, new Remaining(this.index + 1))
					: InterceptedSandbox.this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities(TenantContext tenant) {
			return InterceptedSandbox.this.sandbox.capabilities(tenant);
		}

	}

}

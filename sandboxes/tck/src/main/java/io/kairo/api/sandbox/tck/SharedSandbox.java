package io.kairo.api.sandbox.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One sandbox for all tests of a contract, for a backend whose creation takes longer than
 * a command. Tests whose name starts with "closing" have sandboxes of their own. Register
 * it in a static field of the subclass of {@link ExecutionSandboxContract}, and return
 * {@link #get()} from {@code createSandbox}. For tests that run one after the other.
 *
 * @param <S> the type of the sandbox
 */
public final class SharedSandbox<S extends ExecutionSandbox> implements BeforeEachCallback, AfterAllCallback {

	private final Supplier<S> factory;

	private final UnaryOperator<ExecutionSandbox> view;

	private @Nullable S shared;

	/** The sandbox of a test that closes it. */
	private @Nullable S own;

	private boolean closing;

	/**
	 * Creates the extension.
	 * @param factory creates the sandboxes
	 */
	public SharedSandbox(Supplier<S> factory) {
		this(factory, UnaryOperator.identity());
	}

	/**
	 * Creates the extension.
	 * @param factory creates the sandboxes
	 * @param view wraps a sandbox for the tests
	 */
	public SharedSandbox(Supplier<S> factory, UnaryOperator<ExecutionSandbox> view) {
		this.factory = factory;
		this.view = view;
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		this.closing = context.getRequiredTestMethod().getName().startsWith("closing");
		this.own = null;
	}

	/**
	 * Returns the sandbox of a test.
	 * @return the shared sandbox, without a way to close it, or a sandbox that the test
	 * can close
	 */
	public ExecutionSandbox get() {
		if (this.closing) {
			S created = this.factory.get();
			this.own = created;
			return this.view.apply(created);
		}
		S sandbox = this.shared;
		if (sandbox == null) {
			sandbox = this.factory.get();
			this.shared = sandbox;
		}
		return new Open(this.view.apply(sandbox));
	}

	/**
	 * Returns the open sandboxes.
	 * @return the shared sandbox and the test's own, as far as they exist
	 */
	public List<S> opened() {
		List<S> opened = new ArrayList<>();
		if (this.shared != null) {
			opened.add(this.shared);
		}
		if (this.own != null) {
			opened.add(this.own);
		}
		return opened;
	}

	/**
	 * Closes the shared sandbox. Called for nested classes as well.
	 */
	@Override
	public void afterAll(ExtensionContext context) throws Exception {
		if (!context.getRequiredTestClass().isMemberClass()) {
			S sandbox = this.shared;
			this.shared = null;
			if (sandbox instanceof AutoCloseable closeable) {
				closeable.close();
			}
		}
	}

	/**
	 * A sandbox that cannot be closed.
	 *
	 * @param sandbox the sandbox
	 */
	private record Open(ExecutionSandbox sandbox) implements ExecutionSandbox {

		@Override
		public SandboxHandle start(SandboxRequest request) {
			return this.sandbox.start(request);
		}

		@Override
		public SandboxCapabilities capabilities() {
			return this.sandbox.capabilities();
		}

		@Override
		public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
			return this.sandbox.temporaryFiles(tenant, sessionId);
		}

		@Override
		public List<String> sharedDirectories(TenantContext tenant) {
			return this.sandbox.sharedDirectories(tenant);
		}

	}

}

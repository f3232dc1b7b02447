package io.kairo.api.sandbox.tck;

import java.util.List;
import java.util.Objects;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxAttributes;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox whose commands belong to one session, as those of an agent do, unless their
 * request names another. Closing it closes the other sandbox.
 *
 * @param sandbox runs the commands
 */
public record SessionSandbox(ExecutionSandbox sandbox) implements ExecutionSandbox, AutoCloseable {

	/**
	 * Creates the sandbox.
	 */
	public SessionSandbox {
		Objects.requireNonNull(sandbox, "sandbox");
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		SandboxAttributes given = request.attributes();
		if (given.sessionId() != null) {
			return this.sandbox.start(request);
		}
		SandboxAttributes attributes = given.toBuilder().sessionId("one").build();
		return this.sandbox.start(new SandboxRequest(request.command(), request.workspaceRoot(), request.env(),
				request.timeout(), request.maxOutputBytes(), request.tenant(), request.readOnly(), attributes));
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

	@Override
	public void close() throws Exception {
		if (this.sandbox instanceof AutoCloseable closeable) {
			closeable.close();
		}
	}

}

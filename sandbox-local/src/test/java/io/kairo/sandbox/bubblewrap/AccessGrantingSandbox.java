package io.kairo.sandbox.bubblewrap;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A sandbox that grants commands access to the directories of their request, which an
 * application that runs as root has to do.
 *
 * @param sandbox runs the commands
 */
record AccessGrantingSandbox(BubblewrapSandbox sandbox) implements ExecutionSandbox, AutoCloseable {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return this.sandbox.start(JvmUser.grantAccess(request));
	}

	@Override
	public SandboxCapabilities capabilities() {
		return this.sandbox.capabilities();
	}

	@Override
	public void close() {
		this.sandbox.close();
	}

}

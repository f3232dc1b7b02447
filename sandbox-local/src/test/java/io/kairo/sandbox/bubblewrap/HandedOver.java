package io.kairo.sandbox.bubblewrap;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A sandbox that does what an application that is root has to.
 *
 * @param sandbox what runs the commands
 */
record HandedOver(BubblewrapSandbox sandbox) implements ExecutionSandbox, AutoCloseable {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return this.sandbox.start(Machine.handOver(request));
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

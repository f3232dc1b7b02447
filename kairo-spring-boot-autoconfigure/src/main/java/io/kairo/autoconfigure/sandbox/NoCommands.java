package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A sandbox that refuses every command, for tenants whose commands are disabled.
 */
final class NoCommands implements ExecutionSandbox {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"Commands are disabled for the tenant '" + request.tenant().tenantId() + "'", "use the file tools");
	}

	@Override
	public SandboxCapabilities capabilities() {
		return SandboxCapabilities.none("none");
	}

}

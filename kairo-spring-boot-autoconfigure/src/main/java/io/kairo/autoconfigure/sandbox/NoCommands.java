package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * Runs no command: for a tenant whose commands are switched off.
 */
final class NoCommands implements ExecutionSandbox {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
				"Commands are switched off for the tenant '" + request.tenant().tenantId() + "'",
				"use the file tools; whoever runs the application can set kairo.sandbox.tenants."
						+ request.tenant().tenantId() + ".type to another value than none");
	}

	@Override
	public SandboxCapabilities capabilities() {
		return SandboxCapabilities.none("none");
	}

}

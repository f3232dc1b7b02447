package io.kairo.autoconfigure.sandbox;

import java.util.EnumSet;
import java.util.Map;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;

/**
 * A sandbox of an application that claims to enforce every network access, and starts
 * nothing.
 */
final class AllowListedCommands implements ExecutionSandbox {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		throw new UnsupportedOperationException();
	}

	@Override
	public SandboxCapabilities capabilities() {
		return SandboxCapabilities.of("application",
				EnumSet.of(SandboxCapability.NETWORK_ALLOW_LIST, SandboxCapability.NETWORK_OFF), Map.of());
	}

}

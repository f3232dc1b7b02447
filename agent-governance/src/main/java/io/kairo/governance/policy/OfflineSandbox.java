package io.kairo.governance.policy;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxErrorCode;
import io.kairo.api.sandbox.SandboxException;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox whose commands have no network; they are refused if the other sandbox cannot
 * enforce this. Safe for use by several threads.
 *
 * @param sandbox the sandbox that runs the commands
 */
record OfflineSandbox(ExecutionSandbox sandbox) implements ExecutionSandbox {

	@Override
	public SandboxHandle start(SandboxRequest request) {
		SandboxCapabilities known = this.sandbox.capabilities(request.tenant());
		if (!known.has(SandboxCapability.NETWORK_OFF_ON_REQUEST) && !known.has(SandboxCapability.NETWORK_OFF)) {
			throw new SandboxException(SandboxErrorCode.UNSUPPORTED_REQUEST,
					"The command has to be tried without network, which the sandbox '" + known.backend()
							+ "' does not enforce (" + known.reason(SandboxCapability.NETWORK_OFF_ON_REQUEST) + ")",
					"let the operator use a sandbox that does, or a rule of the policy with network");
		}
		return this.sandbox.start(new SandboxRequest(request.command(), request.workspaceRoot(), request.env(),
				request.timeout(), request.maxOutputBytes(), request.tenant(), request.readOnly(),
				request.attributes().toBuilder().withoutNetwork(true).build()));
	}

	@Override
	public SandboxCapabilities capabilities() {
		return offline(this.sandbox.capabilities());
	}

	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		return offline(this.sandbox.capabilities(tenant));
	}

	/**
	 * Returns the capabilities by which a failure of a command is explained.
	 */
	private static SandboxCapabilities offline(SandboxCapabilities known) {
		Set<SandboxCapability> enforced = known.enforced();
		enforced.add(SandboxCapability.NETWORK_OFF);
		enforced.remove(SandboxCapability.NETWORK_ALLOW_LIST);
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		for (SandboxCapability each : SandboxCapability.values()) {
			reasons.put(each, known.reason(each));
		}
		return SandboxCapabilities.of(known.backend(), enforced, reasons);
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
	public @Nullable Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
		return this.sandbox.overlay(tenant, sessionId, lower, layer);
	}

}

package io.kairo.autoconfigure.sandbox;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.sandbox.SessionDirectory;
import io.kairo.api.tenant.TenantContext;
import io.kairo.api.workspace.TrialOverlays.Overlay;
import org.jspecify.annotations.Nullable;

/**
 * A sandbox that delegates the commands of some tenants to other sandboxes. Its
 * capabilities are the ones that all sandboxes enforce. Safe for use by several threads.
 */
final class TenantSandboxes implements ExecutionSandbox {

	private final ExecutionSandbox common;

	private final Map<String, ExecutionSandbox> own;

	/**
	 * Creates the sandbox. It does not close the sandboxes that it delegates to.
	 * @param common the sandbox of all other tenants
	 * @param own the sandboxes of single tenants, by tenant id
	 */
	TenantSandboxes(ExecutionSandbox common, Map<String, ExecutionSandbox> own) {
		this.common = common;
		this.own = Map.copyOf(own);
	}

	@Override
	public SandboxHandle start(SandboxRequest request) {
		return of(request.tenant()).start(request);
	}

	@Override
	public SandboxCapabilities capabilities(TenantContext tenant) {
		return of(tenant).capabilities(tenant);
	}

	@Override
	public @Nullable SessionDirectory temporaryFiles(TenantContext tenant, String sessionId) {
		return of(tenant).temporaryFiles(tenant, sessionId);
	}

	@Override
	public @Nullable Overlay overlay(TenantContext tenant, String sessionId, Path lower, Path layer) {
		return of(tenant).overlay(tenant, sessionId, lower, layer);
	}

	@Override
	public List<String> sharedDirectories(TenantContext tenant) {
		return of(tenant).sharedDirectories(tenant);
	}

	@Override
	public SandboxCapabilities capabilities() {
		SandboxCapabilities shared = this.common.capabilities();
		Set<SandboxCapability> enforced = shared.enforced();
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		for (SandboxCapability capability : SandboxCapability.values()) {
			reasons.put(capability, shared.reason(capability));
		}
		this.own.forEach((tenant, sandbox) -> {
			SandboxCapabilities capabilities = sandbox.capabilities();
			if (!(sandbox instanceof NoCommands)) {
				shared.enforced().stream().filter((each) -> !capabilities.has(each)).forEach((missing) -> {
					enforced.remove(missing);
					reasons.put(missing, "not for the tenant " + tenant + ", which has the sandbox '"
							+ capabilities.backend() + "': " + capabilities.reason(missing));
				});
			}
		});
		return SandboxCapabilities.of(shared.backend(), enforced, reasons);
	}

	private ExecutionSandbox of(TenantContext tenant) {
		return this.own.getOrDefault(tenant.tenantId(), this.common);
	}

}

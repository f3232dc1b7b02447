package io.kairo.autoconfigure.sandbox;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;

import io.kairo.api.sandbox.ExecutionSandbox;
import io.kairo.api.sandbox.SandboxCapabilities;
import io.kairo.api.sandbox.SandboxCapability;
import io.kairo.api.sandbox.SandboxHandle;
import io.kairo.api.sandbox.SandboxRequest;
import io.kairo.api.tenant.TenantContext;

/**
 * Runs the commands of some tenants in sandboxes of another kind than those of everybody
 * else. It claims of itself what all of them enforce. Safe for use by several threads.
 */
final class TenantSandboxes implements ExecutionSandbox {

	private final ExecutionSandbox everybody;

	private final Map<String, ExecutionSandbox> own;

	/**
	 * Creates the sandbox, which closes none of the others.
	 * @param everybody the sandbox of tenants that have no other
	 * @param own the sandboxes of the others, by their ids
	 */
	TenantSandboxes(ExecutionSandbox everybody, Map<String, ExecutionSandbox> own) {
		this.everybody = everybody;
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
	public SandboxCapabilities capabilities() {
		SandboxCapabilities common = this.everybody.capabilities();
		Set<SandboxCapability> enforced = common.enforced();
		Map<SandboxCapability, String> reasons = new EnumMap<>(SandboxCapability.class);
		for (SandboxCapability capability : SandboxCapability.values()) {
			reasons.put(capability, common.reason(capability));
		}
		this.own.forEach((tenant, sandbox) -> {
			SandboxCapabilities capabilities = sandbox.capabilities();
			if (!(sandbox instanceof NoCommands)) {
				common.enforced().stream().filter((each) -> !capabilities.has(each)).forEach((missing) -> {
					enforced.remove(missing);
					reasons.put(missing, "not for the tenant " + tenant + ", who has the sandbox '"
							+ capabilities.backend() + "': " + capabilities.reason(missing));
				});
			}
		});
		return SandboxCapabilities.of(common.backend(), enforced, reasons);
	}

	private ExecutionSandbox of(TenantContext tenant) {
		return this.own.getOrDefault(tenant.tenantId(), this.everybody);
	}

}

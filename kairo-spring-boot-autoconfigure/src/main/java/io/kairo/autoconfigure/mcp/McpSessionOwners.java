package io.kairo.autoconfigure.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.kairo.api.tenant.TenantContext;

/**
 * The owner of each session, which is the only caller that can use it: identified by
 * tenant and principal, regardless of other attributes, which can differ between
 * requests. Beyond a maximum number, the least recently used sessions are forgotten,
 * which ends them for their owner too. Safe for use by several threads.
 */
final class McpSessionOwners {

	private static final int MAXIMUM = 100_000;

	/**
	 * In the order of the last use, empty for callers without a tenant; guarded by
	 * itself.
	 */
	private final Map<String, Optional<Owner>> owners = new LinkedHashMap<>(16, 0.75f, true);

	McpSessionOwners() {
	}

	void opened(String sessionId, Optional<TenantContext> owner) {
		synchronized (this.owners) {
			this.owners.put(sessionId, owner.map(Owner::of));
			if (this.owners.size() > MAXIMUM) {
				this.owners.remove(this.owners.keySet().iterator().next());
			}
		}
	}

	boolean owns(Optional<TenantContext> caller, String sessionId) {
		synchronized (this.owners) {
			return caller.map(Owner::of).equals(this.owners.get(sessionId));
		}
	}

	void ended(String sessionId) {
		synchronized (this.owners) {
			this.owners.remove(sessionId);
		}
	}

	/**
	 * The owner of a session.
	 *
	 * @param tenantId the id of the tenant
	 * @param principalId the id of the principal
	 */
	private record Owner(String tenantId, String principalId) {

		static Owner of(TenantContext caller) {
			return new Owner(caller.tenantId(), caller.principalId());
		}

	}

}

package io.kairo.autoconfigure.mcp;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

import io.kairo.api.tenant.TenantContext;

/**
 * Knows who opened which session, so that nobody else uses it by its id: the tenant and
 * the principal, whatever else is said of them from one request to the next. Of very many
 * sessions the ones that nobody used for longest are forgotten, which ends them for their
 * owner too. Safe for use by several threads.
 */
final class McpSessionOwners {

	private static final int MAXIMUM = 100_000;

	/** In the order of the last use, empty where nobody was known; guarded by itself. */
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
	 * Whose a session is.
	 *
	 * @param tenantId who it was opened for
	 * @param principalId who opened it
	 */
	private record Owner(String tenantId, String principalId) {

		static Owner of(TenantContext caller) {
			return new Owner(caller.tenantId(), caller.principalId());
		}

	}

}

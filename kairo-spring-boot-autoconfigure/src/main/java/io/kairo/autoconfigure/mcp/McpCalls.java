package io.kairo.autoconfigure.mcp;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.kairo.api.tenant.TenantContext;
import io.kairo.tools.Cancellation;

/**
 * The running calls, so that clients can cancel them. Safe for use by several threads.
 */
final class McpCalls {

	private final Map<Key, Cancellation> running = new ConcurrentHashMap<>();

	/**
	 * Registers a call until the registration is closed. The protocol forbids two calls
	 * of a client with the same id; of these, the later one is registered.
	 */
	Cancellation.Registration remember(Key key, Cancellation cancellation) {
		this.running.put(key, cancellation);
		return () -> this.running.remove(key, cancellation);
	}

	/**
	 * Cancels a call unless it has ended.
	 */
	void cancel(Key key) {
		Cancellation cancellation = this.running.remove(key);
		if (cancellation != null) {
			cancellation.cancel();
		}
	}

	/**
	 * Cancels all calls of a session.
	 */
	void cancelSession(TenantContext tenant, String sessionId) {
		Key session = new Key(tenant, sessionId, "");
		this.running.keySet().stream().filter(session::hasSameSession).forEach(this::cancel);
	}

	/**
	 * Identifies a call. It includes tenant and principal, so that a caller cannot cancel
	 * the calls of others by guessing ids.
	 *
	 * @param tenantId the id of the tenant
	 * @param principalId the id of the principal
	 * @param sessionId the id of the client's session
	 * @param requestId the id of the request, in JSON, where {@code 1} and {@code "1"}
	 * are two ids
	 */
	record Key(String tenantId, String principalId, String sessionId, String requestId) {

		Key(TenantContext tenant, String sessionId, String requestId) {
			this(tenant.tenantId(), tenant.principalId(), sessionId, requestId);
		}

		private boolean hasSameSession(Key other) {
			return this.sessionId.equals(other.sessionId) && this.tenantId.equals(other.tenantId)
					&& this.principalId.equals(other.principalId);
		}

	}

}

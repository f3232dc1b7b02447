package io.kairo.tools;

import io.kairo.api.tenant.TenantContext;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a session: calls with equal keys share it.
 */
record SessionKey(String tenantId, String principalId, @Nullable String agentId, @Nullable String hint,
		boolean writable, String sessionId) {

	static SessionKey of(SessionRequest request, String sessionId) {
		TenantContext tenant = request.tenant();
		return new SessionKey(tenant.tenantId(), tenant.principalId(),
				tenant.attributes().get(TenantContext.ATTR_AGENT_ID), request.hint(), request.writable(), sessionId);
	}

}

package io.kairo.governance.policy;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.governance.audit.ArgumentDigest;
import io.kairo.tools.ToolCall;

/**
 * Hashes that two requests or permissions share if one stands for the other.
 */
final class ApprovalKeys {

	private ApprovalKeys() {
	}

	static String of(PendingApproval approval) {
		Map<String, Object> key = new LinkedHashMap<>();
		key.put("tenant", approval.tenant());
		key.put("principal", approval.principal());
		if (approval.session() != null) {
			key.put("session", approval.session());
		}
		key.put("rule", approval.rule());
		key.put("digest", approval.digest());
		return ArgumentDigest.of(new ToolCall("", approval.tool(), key));
	}

	static String of(SessionGrant grant) {
		return ArgumentDigest.of(new ToolCall("", grant.tool(), Map.of("tenant", grant.tenant(), "principal",
				grant.principal(), "session", grant.session(), "rule", grant.rule())));
	}

}

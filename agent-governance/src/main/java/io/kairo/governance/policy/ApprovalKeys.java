package io.kairo.governance.policy;

import java.util.LinkedHashMap;
import java.util.Map;

import io.kairo.governance.audit.ArgumentDigest;
import io.kairo.tools.ToolCall;

/**
 * Hashes that two requests or permissions share if one stands for the other.
 */
public final class ApprovalKeys {

	private ApprovalKeys() {
	}

	/**
	 * Returns the hash of a request.
	 * @param approval the request
	 * @return the hash of what is asked, by whom and by which rule
	 */
	public static String of(PendingApproval approval) {
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

	/**
	 * Returns the hash of a permission.
	 * @param grant the permission
	 * @return the hash of what is permitted, whenever it ends
	 */
	public static String of(SessionGrant grant) {
		return ArgumentDigest.of(new ToolCall("", grant.tool(), Map.of("tenant", grant.tenant(), "principal",
				grant.principal(), "session", grant.session(), "rule", grant.rule())));
	}

}

package io.kairo.governance.policy;

import java.time.Instant;
import java.util.Objects;

/**
 * The permission for calls of one tool in one session that one rule asks about, until a
 * time. Immutable.
 *
 * @param tenant the id of the tenant
 * @param principal the user or service inside the tenant
 * @param session the client's id of the session
 * @param tool the name of the tool
 * @param rule the name of the rule
 * @param ends the time when approval is required again
 * @param decidedBy the person or system that gave it
 */
public record SessionGrant(String tenant, String principal, String session, String tool, String rule, Instant ends,
		String decidedBy) {

	/**
	 * Creates the value.
	 */
	public SessionGrant {
		Objects.requireNonNull(tenant, "tenant");
		Objects.requireNonNull(principal, "principal");
		Objects.requireNonNull(session, "session");
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(rule, "rule");
		Objects.requireNonNull(ends, "ends");
		Objects.requireNonNull(decidedBy, "decidedBy");
	}

	/**
	 * Returns whether this is a permission of the same session, tool and rule as another
	 * one, whenever they end.
	 */
	boolean isSame(SessionGrant other) {
		return this.tenant.equals(other.tenant) && this.principal.equals(other.principal)
				&& this.session.equals(other.session) && this.tool.equals(other.tool) && this.rule.equals(other.rule);
	}

}

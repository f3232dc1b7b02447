package io.kairo.governance.policy;

import java.time.Instant;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A request for approval of one call. Immutable.
 *
 * @param id the unique id
 * @param tenant the id of the tenant
 * @param principal the user or service inside the tenant
 * @param session the client's id of the session, null for a session without one
 * @param tool the name of the tool
 * @param rule the name of the rule that asks
 * @param reason the reason of the rule
 * @param shown the text to decide on: the current directory, the arguments without
 * secrets, and the difference of a dry run. Control and invisible characters are escaped.
 * Empty once the request is decided
 * @param digest the digest of the shown content, before secrets were removed
 * @param created the time of the request
 * @param expires the time when it expires and can no longer be answered or executed
 */
public record PendingApproval(String id, String tenant, String principal, @Nullable String session, String tool,
		String rule, String reason, String shown, String digest, Instant created, Instant expires) {

	/**
	 * Creates the value.
	 */
	public PendingApproval {
		Objects.requireNonNull(id, "id");
		Objects.requireNonNull(tenant, "tenant");
		Objects.requireNonNull(principal, "principal");
		Objects.requireNonNull(tool, "tool");
		Objects.requireNonNull(rule, "rule");
		Objects.requireNonNull(reason, "reason");
		Objects.requireNonNull(shown, "shown");
		Objects.requireNonNull(digest, "digest");
		Objects.requireNonNull(created, "created");
		Objects.requireNonNull(expires, "expires");
	}

	/**
	 * Returns the request without its text. The text is not kept once the request is
	 * decided.
	 */
	PendingApproval decided() {
		return new PendingApproval(this.id, this.tenant, this.principal, this.session, this.tool, this.rule,
				this.reason, "", this.digest, this.created, this.expires);
	}

	/**
	 * Returns the number of characters that the model or the client chose.
	 */
	long characters() {
		return (long) this.shown.length() + this.tool.length() + ((this.session != null) ? this.session.length() : 0);
	}

}

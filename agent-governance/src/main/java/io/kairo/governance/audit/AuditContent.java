package io.kairo.governance.audit;

import org.jspecify.annotations.Nullable;

/**
 * The optional content of records. Immutable.
 *
 * @param arguments removes secrets from the arguments of calls; null to record none
 * @param commands removes secrets from the texts of commands; null to record none
 */
public record AuditContent(@Nullable Redaction arguments, @Nullable Redaction commands) {

	/** Neither arguments nor commands. */
	public static final AuditContent NONE = new AuditContent(null, null);

}

package io.kairo.governance.audit;

/**
 * The policy for records that a sink does not write in time.
 */
public enum AuditPolicy {

	/** The call waits until the sink has written the record, or the call is cancelled. */
	BLOCK,

	/** The call fails when the timeout has passed, or when the sink fails. */
	FAIL

}

package io.kairo.governance.policy;

/**
 * The action of a rule.
 */
public enum PolicyAction {

	/** The call is made. */
	ALLOW,

	/** The call waits for approval. */
	ASK,

	/** The call is refused. */
	DENY

}

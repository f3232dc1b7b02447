package io.kairo.governance.policy;

/**
 * The action of a rule.
 *
 * @since 0.1.0
 */
public enum PolicyAction {

	/** The call is made. */
	ALLOW,

	/** The call waits for approval. */
	ASK,

	/** The call is refused. */
	DENY

}

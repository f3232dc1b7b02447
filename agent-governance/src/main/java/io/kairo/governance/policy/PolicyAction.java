package io.kairo.governance.policy;

/**
 * The action of a rule.
 */
public enum PolicyAction {

	/** The call is made. */
	ALLOW,

	/** The call waits for approval. */
	ASK,

	/**
	 * The call is made in a trial, and what it changed in the workspace waits for
	 * approval; a call that cannot be tried waits itself.
	 */
	REVIEW,

	/** The call is refused. */
	DENY

}

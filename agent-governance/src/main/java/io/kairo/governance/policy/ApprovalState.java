package io.kairo.governance.policy;

/**
 * The state of a request for approval. The last three are final.
 */
public enum ApprovalState {

	/** It is not answered. */
	PENDING,

	/** The call may be made once. */
	APPROVED,

	/** The call may not be made. */
	REJECTED,

	/** The call was not answered or made in time. */
	EXPIRED,

	/** The call was made, or given up after it had been allowed. */
	EXECUTED

}

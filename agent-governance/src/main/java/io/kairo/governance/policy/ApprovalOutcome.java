package io.kairo.governance.policy;

import org.jspecify.annotations.Nullable;

/**
 * The outcome of a request for approval. Immutable.
 *
 * @param kind the kind
 * @param reason the reason of the answer, null for none
 * @param decidedBy the person or system that answered, null if none did
 */
record ApprovalOutcome(Kind kind, @Nullable String reason, @Nullable String decidedBy) {

	static ApprovalOutcome of(Kind kind) {
		return new ApprovalOutcome(kind, null, null);
	}

	/**
	 * The kind of an outcome.
	 */
	enum Kind {

		/** The call may be made now. */
		APPROVED,

		/** The call was denied. */
		REJECTED,

		/** The request was not answered in time. */
		EXPIRED,

		/** The approval was for one call, and another one was made. */
		USED,

		/** The tenant has too many pending requests. */
		TOO_MANY,

		/** The call was cancelled. */
		CANCELLED

	}

}

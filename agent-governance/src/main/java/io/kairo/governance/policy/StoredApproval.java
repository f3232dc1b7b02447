package io.kairo.governance.policy;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A request for approval in a store. Immutable.
 *
 * @param approval the request
 * @param state its state
 * @param reason the reason of the answer, null for none
 * @param decidedBy the person or system that answered, null before that
 */
public record StoredApproval(PendingApproval approval, ApprovalState state, @Nullable String reason,
		@Nullable String decidedBy) {

	/**
	 * Creates the value.
	 */
	public StoredApproval {
		Objects.requireNonNull(approval, "approval");
		Objects.requireNonNull(state, "state");
	}

}

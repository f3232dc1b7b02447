package io.kairo.tools;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The decision of an interceptor on whether a call may be made. Immutable.
 *
 * @param outcome the outcome
 * @param rule the rule that decided, null for none
 * @param decidedBy the person or system that answered a request for approval, null if
 * none was asked
 * @see ToolContext#decisions()
 */
public record ToolDecision(Outcome outcome, @Nullable String rule, @Nullable String decidedBy) {

	/**
	 * Creates the value.
	 */
	public ToolDecision {
		Objects.requireNonNull(outcome, "outcome");
	}

	/**
	 * The outcome of a decision.
	 */
	public enum Outcome {

		/** A rule allows the call. */
		ALLOWED,

		/** A rule denies the call, or no rule allows it. */
		DENIED,

		/** The call was approved. */
		APPROVED,

		/** The call was not approved. */
		REJECTED,

		/** A request for approval was not answered in time. */
		EXPIRED

	}

}

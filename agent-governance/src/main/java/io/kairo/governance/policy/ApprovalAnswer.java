package io.kairo.governance.policy;

import java.time.Duration;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The answer to a request for approval. Immutable.
 *
 * @param kind the kind
 * @param duration the time that further calls are allowed, null unless the kind is
 * {@link Kind#ALLOW_FOR_SESSION}
 * @param reason the reason for the model, cut after 1000 characters; null for none
 * @param decidedBy the person or system that answered
 */
public record ApprovalAnswer(Kind kind, @Nullable Duration duration, @Nullable String reason, String decidedBy) {

	private static final int MAX_REASON = 1000;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a duration is missing, not positive or not
	 * expected, or {@code decidedBy} is blank
	 */
	public ApprovalAnswer {
		Objects.requireNonNull(kind, "kind");
		if (decidedBy.isBlank()) {
			throw new IllegalArgumentException("decidedBy is blank: give the person or system that answered");
		}
		if ((kind == Kind.ALLOW_FOR_SESSION) != (duration != null)) {
			throw new IllegalArgumentException(
					"An answer " + kind + " has the duration " + duration + ": ALLOW_FOR_SESSION alone has one");
		}
		if (duration != null && (duration.isNegative() || duration.isZero())) {
			throw new IllegalArgumentException("The duration is " + duration + ": it must be positive");
		}
		reason = (reason != null && reason.length() > MAX_REASON) ? reason.substring(0, MAX_REASON) : reason;
	}

	/**
	 * Creates the answer that allows the call once.
	 * @param decidedBy the person or system that answers
	 * @return the answer
	 */
	public static ApprovalAnswer allowOnce(String decidedBy) {
		return new ApprovalAnswer(Kind.ALLOW_ONCE, null, null, decidedBy);
	}

	/**
	 * Creates the answer that allows the call, and further ones of the same session and
	 * tool that the same rule asks about.
	 * @param decidedBy the person or system that answers
	 * @param duration the time that further calls are allowed
	 * @return the answer
	 */
	public static ApprovalAnswer allowForSession(String decidedBy, Duration duration) {
		return new ApprovalAnswer(Kind.ALLOW_FOR_SESSION, duration, null, decidedBy);
	}

	/**
	 * Creates the answer that denies the call.
	 * @param decidedBy the person or system that answers
	 * @param reason the reason for the model, may be null
	 * @return the answer
	 */
	public static ApprovalAnswer deny(String decidedBy, @Nullable String reason) {
		return new ApprovalAnswer(Kind.DENY, null, reason, decidedBy);
	}

	/**
	 * The kind of an answer.
	 */
	public enum Kind {

		/** The call may be made once. */
		ALLOW_ONCE,

		/** The call may be made, and further ones for a time. */
		ALLOW_FOR_SESSION,

		/** The call may not be made. */
		DENY

	}

}

package io.kairo.sandbox.support.proxy;

import org.jspecify.annotations.Nullable;

/**
 * A request is refused.
 */
final class RefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	/** Why. */
	private final Refusal refusal;

	/** Where the request wanted to go, if that could be read. */
	private final transient @Nullable Target target;

	RefusedException(Refusal refusal) {
		this(refusal, null);
	}

	RefusedException(Refusal refusal, @Nullable Target target) {
		super(refusal.text(), null, false, false);
		this.refusal = refusal;
		this.target = target;
	}

	Refusal refusal() {
		return this.refusal;
	}

	/**
	 * Returns what was refused, for people to read.
	 */
	String describe() {
		return ((this.target != null) ? this.target.toString() : "a request") + " (" + this.refusal.code() + ")";
	}

}

package io.kairo.sandbox.support.proxy;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a request is refused.
 */
final class ProxyRefusedException extends Exception {

	private static final long serialVersionUID = 1L;

	/** The reason. */
	private final Refusal refusal;

	/** The target of the request, if it could be parsed. */
	private final transient @Nullable Target target;

	/** A detail for the log, not shown to commands. */
	private final @Nullable String detail;

	ProxyRefusedException(Refusal refusal) {
		this(refusal, null);
	}

	ProxyRefusedException(Refusal refusal, @Nullable Target target) {
		this(refusal, target, null);
	}

	ProxyRefusedException(Refusal refusal, @Nullable Target target, @Nullable String detail) {
		super(refusal.text(), null, false, false);
		this.refusal = refusal;
		this.target = target;
		this.detail = detail;
	}

	Refusal refusal() {
		return this.refusal;
	}

	/**
	 * Returns a detail for the log.
	 * @return the detail, or an empty string
	 */
	String detail() {
		return (this.detail != null) ? ": " + this.detail : "";
	}

	/**
	 * Returns a readable description of the refusal.
	 */
	String describe() {
		return ((this.target != null) ? this.target.toString() : "a request") + " (" + this.refusal.code() + ")";
	}

}

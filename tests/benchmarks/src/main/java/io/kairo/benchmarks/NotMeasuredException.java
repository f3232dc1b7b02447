package io.kairo.benchmarks;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if this machine cannot run a row.
 */
final class NotMeasuredException extends Exception {

	private final String reason;

	NotMeasuredException(String reason) {
		super(reason);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

	/**
	 * Throws if there is a problem.
	 */
	static void throwIf(@Nullable Object problem) throws NotMeasuredException {
		if (problem != null) {
			throw new NotMeasuredException(problem.toString());
		}
	}

}

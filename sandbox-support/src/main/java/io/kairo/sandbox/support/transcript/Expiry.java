package io.kairo.sandbox.support.transcript;

import java.time.Duration;

/**
 * The time at which a wait ends.
 * 
 * @param nanoTime the time in terms of {@link System#nanoTime()}
 */
record Expiry(long nanoTime) {

	private static final Duration LONGEST = Duration.ofDays(10_000);

	static Expiry after(Duration timeout) {
		Duration bounded = (timeout.compareTo(LONGEST) > 0) ? LONGEST : timeout;
		return new Expiry(System.nanoTime() + Math.max(0, bounded.toNanos()));
	}

	/**
	 * Returns the remaining time.
	 * @return nanoseconds, at least 0
	 */
	long left() {
		return Math.max(0, this.nanoTime - System.nanoTime());
	}

}

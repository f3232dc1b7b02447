package io.kairo.workspace.git;

import java.time.Duration;

/**
 * The deadline of an operation. Immutable.
 *
 * @param bound the timeout that the deadline was derived from
 * @param end the deadline in terms of {@link System#nanoTime()}
 */
record Deadline(Duration bound, long end) {

	static Deadline after(Duration bound) {
		Duration usable = (bound.compareTo(Duration.ofDays(1)) < 0) ? bound : Duration.ofDays(1);
		return new Deadline(usable, System.nanoTime() + usable.toNanos());
	}

	boolean isOver() {
		return nanosLeft() <= 0;
	}

	long nanosLeft() {
		return this.end - System.nanoTime();
	}

	/**
	 * Returns the remaining time in whole seconds, at least one.
	 */
	int secondsLeft() {
		return (int) Math.max(1, nanosLeft() / 1_000_000_000L);
	}

}

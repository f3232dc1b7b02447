package io.kairo.tools.limits;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A rate limit over a sliding window of one minute: no minute has more events than the
 * maximum. Time passes in steps of 100 ms, so that an event counts for a minute and up to
 * one step longer. Takes some kilobytes, independently of the maximum. For use by one
 * thread at a time.
 */
final class SlidingMinute {

	private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);

	/** A minute, and the step that has begun. */
	private static final int STEPS = 601;

	private final LongSupplier nanoTime;

	private final int maximum;

	/** The number of events in each of the last steps, at the step modulo the length. */
	private final int[] counts = new int[STEPS];

	private long now;

	private int sum;

	/**
	 * Creates a limit without events.
	 * @param maximum the maximum number of events, at least 1
	 * @param nanoTime the clock, as {@link System#nanoTime()}
	 */
	SlidingMinute(int maximum, LongSupplier nanoTime) {
		this.maximum = maximum;
		this.nanoTime = nanoTime;
		this.now = Math.floorDiv(nanoTime.getAsLong(), STEP);
	}

	/**
	 * Counts an event if it is within the limit.
	 * @return the time in nanoseconds until an event is allowed, 0 if this one was
	 * counted
	 */
	long take() {
		long wait = untilNext();
		if (wait == 0) {
			this.sum++;
			this.counts[index(this.now)]++;
		}
		return wait;
	}

	/**
	 * Returns the time in nanoseconds until an event is allowed, 0 if one is now.
	 */
	long untilNext() {
		pass();
		return (this.sum >= this.maximum) ? untilOneLess() : 0;
	}

	/**
	 * Returns the number of events in the last minute.
	 */
	int count() {
		pass();
		return this.sum;
	}

	/**
	 * Removes events that are more than a minute old.
	 */
	private void pass() {
		long step = Math.floorDiv(this.nanoTime.getAsLong(), STEP);
		long first = Math.max(this.now + 1, step - STEPS + 1);
		for (long entered = first; entered <= step; entered++) {
			this.sum -= this.counts[index(entered)];
			this.counts[index(entered)] = 0;
		}
		this.now = Math.max(this.now, step);
	}

	private long untilOneLess() {
		long oldest = this.now - STEPS + 1;
		while (this.counts[index(oldest)] == 0) {
			oldest++;
		}
		return (oldest + STEPS) * STEP - this.nanoTime.getAsLong();
	}

	private static int index(long step) {
		return Math.floorMod(step, STEPS);
	}

}

package io.kairo.tools.limits;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Counts what happened in the last minute and lets no more happen than a number, in
 * whichever minute one looks. Time passes in steps of 100 ms: what happened counts for a
 * minute, and up to one step longer. Takes some kilobytes, whatever the number. For use
 * by one thread at a time.
 */
final class SlidingMinute {

	private static final long STEP = TimeUnit.MILLISECONDS.toNanos(100);

	/** A minute, and the step that has begun. */
	private static final int STEPS = 601;

	private final LongSupplier nanoTime;

	private final int maximum;

	/** How much happened in each of the last steps, at the step modulo the length. */
	private final int[] counts = new int[STEPS];

	private long now;

	private int sum;

	/**
	 * Creates a minute in which nothing has happened.
	 * @param maximum how much may happen, at least 1
	 * @param nanoTime the clock, as {@link System#nanoTime()}
	 */
	SlidingMinute(int maximum, LongSupplier nanoTime) {
		this.maximum = maximum;
		this.nanoTime = nanoTime;
		this.now = Math.floorDiv(nanoTime.getAsLong(), STEP);
	}

	/**
	 * Counts something, if it may happen.
	 * @return after how many nanoseconds it may, 0 if it was counted
	 */
	long take() {
		pass();
		if (this.sum >= this.maximum) {
			return untilOneLess();
		}
		this.sum++;
		this.counts[index(this.now)]++;
		return 0;
	}

	/**
	 * Returns how much has happened.
	 */
	int count() {
		pass();
		return this.sum;
	}

	/**
	 * Forgets what happened more than a minute ago.
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

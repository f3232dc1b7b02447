package io.kairo.governance.ledger;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A clock of the machine and its elapsed time, which a test sets.
 */
final class MutableClock extends Clock {

	private volatile Instant now;

	private volatile long nanos;

	MutableClock(String now) {
		this.now = Instant.parse(now);
	}

	/**
	 * Lets time pass.
	 */
	void pass(Duration time) {
		this.now = this.now.plus(time);
		this.nanos += time.toNanos();
	}

	/**
	 * Sets the clock, which takes no time.
	 */
	void set(String time) {
		this.now = Instant.parse(time);
	}

	long nanoTime() {
		return this.nanos;
	}

	@Override
	public Instant instant() {
		return this.now;
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}

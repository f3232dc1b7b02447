package io.kairo.governance.policy;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

/**
 * A clock that goes on at its pace when the clock of the machine is set back, so that
 * nothing is valid for longer. Safe for use by several threads.
 */
final class ForwardClock {

	private final Clock clock;

	private final LongSupplier nanoTime;

	private Instant last;

	private long lastNanos;

	ForwardClock(Clock clock, LongSupplier nanoTime) {
		this.clock = clock;
		this.nanoTime = nanoTime;
		this.last = clock.instant();
		this.lastNanos = nanoTime.getAsLong();
	}

	synchronized Instant now() {
		long nanos = this.nanoTime.getAsLong();
		Instant elapsed = this.last.plusNanos(Math.max(0, nanos - this.lastNanos));
		Instant told = this.clock.instant();
		this.last = told.isAfter(elapsed) ? told : elapsed;
		this.lastNanos = nanos;
		return this.last;
	}

}

package io.kairo.governance.ledger;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * A clock of days. It goes on at its pace when the clock of the machine is set back, so
 * that a day never comes again. Safe for use by several threads.
 */
final class DayClock {

	private final Clock clock;

	private final ZoneId zone;

	private final LongSupplier nanoTime;

	private Instant last;

	private long lastNanos;

	DayClock(Clock clock, ZoneId zone, LongSupplier nanoTime) {
		this.clock = clock;
		this.zone = zone;
		this.nanoTime = nanoTime;
		this.last = clock.instant();
		this.lastNanos = nanoTime.getAsLong();
	}

	private synchronized Instant now() {
		long nanos = this.nanoTime.getAsLong();
		Instant elapsed = this.last.plusNanos(Math.max(0, nanos - this.lastNanos));
		Instant told = this.clock.instant();
		this.last = told.isAfter(elapsed) ? told : elapsed;
		this.lastNanos = nanos;
		return this.last;
	}

	LocalDate today() {
		return LocalDate.ofInstant(now(), this.zone);
	}

	/**
	 * Returns the end of a day.
	 */
	Instant end(LocalDate day) {
		return day.plusDays(1).atStartOfDay(this.zone).toInstant();
	}

	/**
	 * Returns the time until a day ends, at least one millisecond.
	 */
	Duration untilEnd(LocalDate day) {
		Duration left = Duration.between(now(), end(day));
		return (left.toMillis() > 0) ? left : Duration.ofMillis(1);
	}

}

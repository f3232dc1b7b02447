package io.kairo.governance.ledger;

import java.time.LocalDate;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * The answer of a ledger to a command that is about to start. Immutable.
 *
 * @param day the day that the command counts for: the given one, or a later one if the
 * ledger already has a usage of the tenant for it
 * @param exhausted the usage that leaves no room for the command; null if the command was
 * counted
 */
public record Reservation(LocalDate day, @Nullable DailyUsage exhausted) {

	/**
	 * Creates the value.
	 */
	public Reservation {
		Objects.requireNonNull(day, "day");
	}

}

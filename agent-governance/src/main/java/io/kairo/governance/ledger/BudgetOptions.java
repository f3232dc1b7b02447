package io.kairo.governance.ledger;

import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/**
 * The settings of budgets. Immutable.
 *
 * @param zone the zone whose midnight begins a day; the same for all instances that share
 * a ledger
 * @param retention the number of days to keep usage, at least 2
 * @param maxPending maximum number of commands that run, or have ended and are not
 * charged yet; further ones are refused
 */
public record BudgetOptions(ZoneId zone, int retention, int maxPending) {

	/**
	 * Days in UTC, 90 of them, and 10,000 commands.
	 */
	public static final BudgetOptions DEFAULTS = new BudgetOptions(ZoneOffset.UTC, 90, 10_000);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a number is too small
	 */
	public BudgetOptions {
		Objects.requireNonNull(zone, "zone");
		if (retention < 2) {
			throw new IllegalArgumentException("retention is " + retention + ": it must be at least 2");
		}
		if (maxPending < 1) {
			throw new IllegalArgumentException("maxPending is " + maxPending + ": it must be at least 1");
		}
	}

}

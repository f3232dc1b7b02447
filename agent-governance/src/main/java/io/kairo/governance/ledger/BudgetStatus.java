package io.kairo.governance.ledger;

import java.time.Instant;
import java.util.Objects;

/**
 * The usage of a tenant on the current day against its budget. Immutable.
 *
 * @param usage the usage
 * @param budget the budget
 * @param resets the start of the next day
 */
public record BudgetStatus(DailyUsage usage, Budget budget, Instant resets) {

	/**
	 * Creates the value.
	 */
	public BudgetStatus {
		Objects.requireNonNull(usage, "usage");
		Objects.requireNonNull(budget, "budget");
		Objects.requireNonNull(resets, "resets");
	}

}

package io.kairo.autoconfigure.ledger;

/**
 * Thrown when a budget of CPU time applies to a sandbox that does not measure it.
 */
class UnmeasuredBudgetException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnmeasuredBudgetException(String message) {
		super(message);
	}

}

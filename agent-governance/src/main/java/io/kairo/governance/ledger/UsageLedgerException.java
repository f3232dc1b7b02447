package io.kairo.governance.ledger;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the ledger cannot be read or written. A command is then refused.
 */
public class UsageLedgerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the problem, for the log
	 * @param cause the cause, may be null
	 */
	public UsageLedgerException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

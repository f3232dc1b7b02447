package io.kairo.governance.policy;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if approvals cannot be read or written. The call is then refused.
 */
public class ApprovalStoreException extends RuntimeException {

	/**
	 * Creates the exception.
	 * @param message the problem, for the log
	 * @param cause the cause, may be null
	 */
	public ApprovalStoreException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

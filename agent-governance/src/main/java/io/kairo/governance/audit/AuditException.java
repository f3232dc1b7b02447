package io.kairo.governance.audit;

import org.jspecify.annotations.Nullable;

/**
 * A record that could not be written.
 */
public class AuditException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Creates the exception.
	 * @param message the problem and the remedy
	 * @param cause the cause, may be null
	 */
	public AuditException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}

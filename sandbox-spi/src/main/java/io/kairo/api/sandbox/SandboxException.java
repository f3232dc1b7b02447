package io.kairo.api.sandbox;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * Thrown when a command could not be started. The end of a command that was started is
 * always a {@link SandboxExit}.
 */
public class SandboxException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** The reason why the command could not be started. */
	private final SandboxErrorCode code;

	/** The description of the problem. */
	private final String problem;

	/** The remedy. */
	private final String remedy;

	/**
	 * Creates an exception.
	 * @param code the reason
	 * @param message a description of the problem, with the value
	 * @param remedy the remedy
	 * @param cause the cause, may be null
	 */
	public SandboxException(SandboxErrorCode code, String message, String remedy, @Nullable Throwable cause) {
		super(message + ": " + remedy, cause);
		this.code = Objects.requireNonNull(code, "code");
		this.problem = message;
		this.remedy = Objects.requireNonNull(remedy, "remedy");
	}

	/**
	 * Creates an exception without a cause.
	 * @param code the reason
	 * @param message a description of the problem, with the value
	 * @param remedy the remedy
	 */
	public SandboxException(SandboxErrorCode code, String message, String remedy) {
		this(code, message, remedy, null);
	}

	/**
	 * Returns the reason why the command could not be started.
	 * @return the code
	 */
	public SandboxErrorCode code() {
		return this.code;
	}

	/**
	 * Returns the description of the problem: the message without the remedy.
	 * @return a sentence without a period
	 */
	public String problem() {
		return this.problem;
	}

	/**
	 * Returns the remedy.
	 * @return a sentence without a period
	 */
	public String remedy() {
		return this.remedy;
	}

}

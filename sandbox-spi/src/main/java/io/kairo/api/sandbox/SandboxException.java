package io.kairo.api.sandbox;

import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A command could not be started at all. Everything that happens to a command that was
 * started is a {@link SandboxExit} instead.
 *
 * @since 0.1.0
 */
public class SandboxException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/** Why the command could not be started. */
	private final SandboxErrorCode code;

	/** What to do about it. */
	private final String remedy;

	/**
	 * Creates an exception.
	 * @param code why
	 * @param message what was wrong, with the value
	 * @param remedy what to do about it
	 * @param cause the cause, may be null
	 */
	public SandboxException(SandboxErrorCode code, String message, String remedy, @Nullable Throwable cause) {
		super(message + ": " + remedy, cause);
		this.code = Objects.requireNonNull(code, "code");
		this.remedy = Objects.requireNonNull(remedy, "remedy");
	}

	/**
	 * Creates an exception without a cause.
	 * @param code why
	 * @param message what was wrong, with the value
	 * @param remedy what to do about it
	 */
	public SandboxException(SandboxErrorCode code, String message, String remedy) {
		this(code, message, remedy, null);
	}

	/**
	 * Returns why the command could not be started.
	 * @return the code
	 */
	public SandboxErrorCode code() {
		return this.code;
	}

	/**
	 * Returns what to do about it.
	 * @return a sentence
	 */
	public String remedy() {
		return this.remedy;
	}

}

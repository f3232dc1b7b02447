package io.kairo.api.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * The end of a command. Immutable.
 *
 * @param exitCode the exit code of the command; -1 if it timed out, was cancelled or was
 * lost
 * @param signal the cause of the end: {@link #TIMEOUT}, {@link #CANCELLED},
 * {@link #LOST}, {@link #NOT_RUN}, or the name of a signal such as {@code SIGKILL}; null
 * if it exited by itself. Where {@link SandboxCapability#SIGNAL_DISTINCT} is missing, an
 * exit code of 128 plus the number of a signal is reported as that signal
 * @param timedOut whether the timeout of the request ended the command
 * @param truncated whether output was discarded
 */
public record SandboxExit(int exitCode, @Nullable String signal, boolean timedOut, boolean truncated) {

	/**
	 * The signal of a command that timed out.
	 */
	public static final String TIMEOUT = "TIMEOUT";

	/**
	 * The signal of a command that was cancelled or closed.
	 */
	public static final String CANCELLED = "CANCELLED";

	/**
	 * The signal of a command that its backend lost track of: its end is not known, and
	 * it is not run again.
	 */
	public static final String LOST = "LOST";

	/**
	 * The signal of a command that was not run, since its sandbox could not be set up.
	 * The error output tells the reason as far as it is known; the exit code has no
	 * meaning.
	 */
	public static final String NOT_RUN = "NOT_RUN";

}

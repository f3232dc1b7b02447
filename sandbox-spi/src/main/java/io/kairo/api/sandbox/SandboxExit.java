package io.kairo.api.sandbox;

import org.jspecify.annotations.Nullable;

/**
 * How a command ended. Immutable.
 *
 * @param exitCode the command's own exit code; -1 if it was ended by a timeout or
 * cancelled
 * @param signal what ended it: {@link #TIMEOUT}, {@link #CANCELLED}, {@link #LOST}, or
 * the name of a signal such as {@code SIGKILL}; null if it exited by itself. Where
 * {@link SandboxCapability#SIGNAL_DISTINCT} is missing, an exit code of 128 plus the
 * number of a signal is reported as that signal
 * @param timedOut whether the timeout of the request ended it
 * @param truncated whether output was discarded
 * @since 0.1.0
 */
public record SandboxExit(int exitCode, @Nullable String signal, boolean timedOut, boolean truncated) {

	/**
	 * The signal of a command that its timeout ended.
	 */
	public static final String TIMEOUT = "TIMEOUT";

	/**
	 * The signal of a command that was cancelled or closed.
	 */
	public static final String CANCELLED = "CANCELLED";

	/**
	 * The signal of a command that its backend lost sight of: how it ended is not known,
	 * and it is not run again.
	 */
	public static final String LOST = "LOST";

}

package io.kairo.sandbox.support;

import org.jspecify.annotations.Nullable;

/**
 * How a command ended that was not ended by its handle.
 *
 * @param exitCode the command's own exit code
 * @param signal the name of the signal that ended it, such as {@code SIGKILL}, or null
 * @since 0.1.0
 */
public record CommandEnd(int exitCode, @Nullable String signal) {

	/**
	 * Reads an exit code as shells and the Java platform report it: 128 plus the number
	 * of a signal stands for death by that signal. A command that exits with such a code
	 * by itself looks the same.
	 * @param exitCode the exit code
	 * @return the end
	 */
	public static CommandEnd ofExitCode(int exitCode) {
		return new CommandEnd(exitCode, SignalNames.ofExitCode(exitCode));
	}

}

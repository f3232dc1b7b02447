package io.kairo.sandbox.support;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The end of a command for a reason other than a timeout, a cancellation or a close.
 *
 * @param exitCode the exit code of the command
 * @param signal the name of the signal that ended the command, such as {@code SIGKILL},
 * or null
 */
public record CommandEnd(int exitCode, @Nullable String signal) {

	private static final int SIGNAL_OFFSET = 128;

	/** The numbers that all Unix systems agree on. */
	private static final Map<Integer, String> SIGNALS = Map.ofEntries(Map.entry(1, "SIGHUP"), Map.entry(2, "SIGINT"),
			Map.entry(3, "SIGQUIT"), Map.entry(4, "SIGILL"), Map.entry(5, "SIGTRAP"), Map.entry(6, "SIGABRT"),
			Map.entry(8, "SIGFPE"), Map.entry(9, "SIGKILL"), Map.entry(11, "SIGSEGV"), Map.entry(13, "SIGPIPE"),
			Map.entry(14, "SIGALRM"), Map.entry(15, "SIGTERM"), Map.entry(24, "SIGXCPU"), Map.entry(25, "SIGXFSZ"));

	private static final Map<Integer, String> LINUX_SIGNALS = Map.of(7, "SIGBUS", 10, "SIGUSR1", 12, "SIGUSR2", 31,
			"SIGSYS");

	/**
	 * Creates the end that an exit code of a shell or of the Java platform stands for:
	 * 128 plus the number of a signal stands for death by that signal. A command that
	 * exits with such a code by itself cannot be told apart.
	 * @param exitCode the exit code
	 * @return the end
	 */
	public static CommandEnd ofExitCode(int exitCode) {
		return new CommandEnd(exitCode, signal(exitCode - SIGNAL_OFFSET));
	}

	private static @Nullable String signal(int number) {
		String name = SIGNALS.get(number);
		boolean linux = System.getProperty("os.name").equals("Linux");
		return (name == null && linux) ? LINUX_SIGNALS.get(number) : name;
	}

}

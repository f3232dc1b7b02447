package io.kairo.sandbox.support;

import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * The names of signals by number, as far as all Unix systems agree on them, plus those
 * that are particular to Linux where the JVM runs on it.
 */
final class SignalNames {

	private static final int SHELL_OFFSET = 128;

	private static final Map<Integer, String> COMMON = Map.ofEntries(Map.entry(1, "SIGHUP"), Map.entry(2, "SIGINT"),
			Map.entry(3, "SIGQUIT"), Map.entry(4, "SIGILL"), Map.entry(5, "SIGTRAP"), Map.entry(6, "SIGABRT"),
			Map.entry(8, "SIGFPE"), Map.entry(9, "SIGKILL"), Map.entry(11, "SIGSEGV"), Map.entry(13, "SIGPIPE"),
			Map.entry(14, "SIGALRM"), Map.entry(15, "SIGTERM"), Map.entry(24, "SIGXCPU"), Map.entry(25, "SIGXFSZ"));

	private static final Map<Integer, String> LINUX = Map.of(7, "SIGBUS", 10, "SIGUSR1", 12, "SIGUSR2", 31, "SIGSYS");

	private SignalNames() {
	}

	/**
	 * Returns the name of the signal that an exit code of 128 plus its number stands for.
	 * @return null if the exit code stands for none
	 */
	static @Nullable String ofExitCode(int exitCode) {
		int number = exitCode - SHELL_OFFSET;
		String name = COMMON.get(number);
		if (name == null && System.getProperty("os.name").equals("Linux")) {
			return LINUX.get(number);
		}
		return name;
	}

}

package io.kairo.sandbox.landlock;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A line of input that a process waits for before it runs anything that is not trusted.
 * The shell that runs the command waits itself, unless a variable of its environment
 * could make it run something earlier: then another shell waits in an empty environment.
 */
final class Gate {

	/** Gives the command its environment. */
	static final Path ENV = Path.of("/usr/bin/env");

	/** The variable of {@link io.kairo.sandbox.support.Shell}, set again. */
	private static final String WAIT = "read -r BASH_EXECUTION_STRING || exit 125; ";

	private static final String NO_INPUT = "exec < /dev/null; ";

	/**
	 * The variables that the loader and the C library ignore in a privileged program, as
	 * far as a shell uses them, and the variables that make a shell run code at its
	 * start.
	 */
	private static final List<String> PREFIXES = List.of("LD_", "GLIBC_", "MALLOC_", "BASH");

	private static final Set<String> NAMES = Set.of("ENV", "GCONV_PATH", "GETCONF_DIR", "LOCPATH", "NLSPATH",
			"SHELLOPTS", "TZDIR");

	private Gate() {
	}

	/**
	 * Returns whether a shell of the system can wait itself.
	 * @param environment its environment
	 */
	static boolean fits(Map<String, String> environment) {
		return environment.keySet()
			.stream()
			.noneMatch((name) -> NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith));
	}

	/**
	 * Returns the start of a script that waits.
	 * @param typed whether the script has input after the line
	 */
	static String prelude(boolean typed) {
		return typed ? WAIT : WAIT + NO_INPUT;
	}

	/**
	 * Returns the command line of a process that waits in an empty environment, and then
	 * executes a program.
	 * @param typed whether the program has input after the line
	 */
	static List<String> before(List<String> command, Map<String, String> environment, boolean typed) {
		List<String> all = new ArrayList<>(
				List.of("/bin/sh", "-c", prelude(typed) + "exec \"$@\"", "kairo", ENV.toString(), "-i", "--"));
		environment.forEach((name, value) -> all.add(name + "=" + value));
		return Stream.concat(all.stream(), command.stream()).toList();
	}

}

package io.kairo.sandbox.support;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Gives a process the default handling of signals. A process that the Java platform
 * starts ignores the signals that the JVM was started to ignore, as by {@code nohup}, and
 * on JDK 17 it has SIGQUIT blocked, which no shell can undo.
 */
final class SignalReset {

	private static final long TIMEOUT_SECONDS = 10;

	private SignalReset() {
	}

	/**
	 * Returns the beginning of a command line that resets the signals and then executes
	 * the program that follows. The first call runs a program for a moment.
	 * @return the program {@code env} of GNU with its option, an empty list without it
	 */
	static List<String> arguments() {
		return Found.ARGUMENTS;
	}

	/**
	 * Holder of the arguments. The program is looked for on first use.
	 */
	private static final class Found {

		private static final List<String> ARGUMENTS = find();

		private static List<String> find() {
			Path env = Executables.find("env");
			return (env != null && succeeds(new ProcessBuilder(env.toString(), "--default-signal", "true")))
					? List.of(env.toString(), "--default-signal") : List.of();
		}

		private static boolean succeeds(ProcessBuilder builder) {
			try {
				Process process = builder.redirectOutput(Redirect.DISCARD).redirectError(Redirect.DISCARD).start();
				try {
					return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
				}
				finally {
					process.destroyForcibly();
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				return false;
			}
			catch (IOException ex) {
				return false;
			}
		}

	}

}

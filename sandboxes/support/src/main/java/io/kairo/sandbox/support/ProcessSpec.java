package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.kairo.sandbox.support.process.Cgroup;
import org.jspecify.annotations.Nullable;

/**
 * The specification of a process of the host that runs a command. Immutable.
 *
 * @param arguments the program and its arguments, copied
 * @param directory the working directory to start in
 * @param environment the complete environment, copied; a cookie is added
 * @param stdin whether the process can receive input; otherwise its standard input is
 * empty
 * @param killGrace time between SIGTERM and SIGKILL when the process is ended; at most
 * {@link #MAX_KILL_GRACE}
 * @param report the file for the last working directory of the shell, or null
 * @param group the control group that the arguments make the process join, closed with
 * the command; null for none
 */
public record ProcessSpec(List<String> arguments, Path directory, Map<String, String> environment, boolean stdin,
		Duration killGrace, @Nullable WorkingDirectoryFile report, @Nullable Cgroup group) {

	/**
	 * Default of {@link #killGrace()}.
	 */
	public static final Duration DEFAULT_KILL_GRACE = Duration.ofMillis(200);

	/**
	 * Maximum of {@link #killGrace()}: a process tree has to end within a second.
	 */
	public static final Duration MAX_KILL_GRACE = Duration.ofMillis(700);

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the kill grace is negative or too long
	 */
	public ProcessSpec {
		arguments = List.copyOf(arguments);
		Objects.requireNonNull(directory, "directory");
		environment = Map.copyOf(environment);
		requireKillGrace(killGrace);
	}

	/**
	 * Checks a kill grace.
	 * @param killGrace the kill grace
	 * @return the kill grace
	 * @throws IllegalArgumentException if it is negative or too long
	 */
	public static Duration requireKillGrace(Duration killGrace) {
		if (killGrace.isNegative() || killGrace.compareTo(MAX_KILL_GRACE) > 0) {
			throw new IllegalArgumentException("The kill grace is " + killGrace + ": it must be between zero and "
					+ MAX_KILL_GRACE + ", since a command has to end within a second");
		}
		return killGrace;
	}

	@Override
	public String toString() {
		// neither the command nor the environment: both may hold secrets
		return "ProcessSpec[" + this.arguments.get(0) + "]";
	}

}

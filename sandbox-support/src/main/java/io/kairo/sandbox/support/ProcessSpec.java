package io.kairo.sandbox.support;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

/**
 * A process of the host that runs a command.
 *
 * @param arguments program and arguments
 * @param directory where it starts
 * @param environment its whole environment, to which a cookie is added
 * @param stdin whether it is given input; otherwise its standard input is empty
 * @param killGrace how long a process has to end when it is asked to, before it is forced
 * to; at most {@link #MAX_KILL_GRACE}
 * @param report where the shell leaves its last directory, or null
 * @param group the control group that the arguments make the process join, closed with
 * the command; null for none
 * @since 0.1.0
 */
public record ProcessSpec(List<String> arguments, Path directory, Map<String, String> environment, boolean stdin,
		Duration killGrace, @Nullable WorkingDirectoryFile report, @Nullable Cgroup group) {

	/**
	 * What is usual for {@link #killGrace()}.
	 */
	public static final Duration DEFAULT_KILL_GRACE = Duration.ofMillis(200);

	/**
	 * The longest {@link #killGrace()}: a tree has to be dead within a second.
	 */
	public static final Duration MAX_KILL_GRACE = Duration.ofMillis(700);

	/**
	 * Creates the value.
	 * @param arguments program and arguments, copied
	 * @param directory where it starts
	 * @param environment its whole environment, copied
	 * @param stdin whether it is given input
	 * @param killGrace how long a process has to end when it is asked to
	 * @param report where the shell leaves its last directory, or null
	 * @param group the control group that the arguments make the process join, or null
	 * @throws IllegalArgumentException if the grace is negative or too long
	 */
	public ProcessSpec {
		arguments = List.copyOf(arguments);
		Objects.requireNonNull(directory, "directory");
		environment = Map.copyOf(environment);
		requireKillGrace(killGrace);
	}

	/**
	 * Checks a grace.
	 * @param killGrace the grace
	 * @return the grace
	 * @throws IllegalArgumentException if it is negative or too long
	 */
	public static Duration requireKillGrace(Duration killGrace) {
		if (killGrace.isNegative() || killGrace.compareTo(MAX_KILL_GRACE) > 0) {
			throw new IllegalArgumentException("The kill grace is " + killGrace + ": it must be between zero and "
					+ MAX_KILL_GRACE + ", since a command has to be dead within a second");
		}
		return killGrace;
	}

	@Override
	public String toString() {
		// neither the command nor the environment: both may hold secrets
		return "ProcessSpec[" + this.arguments.get(0) + "]";
	}

}

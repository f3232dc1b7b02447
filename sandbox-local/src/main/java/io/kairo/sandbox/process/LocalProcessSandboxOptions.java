package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link LocalProcessSandbox} runs commands. Immutable.
 *
 * @param inheritEnv names of the entries of the JVM's environment that commands see; one
 * that ends in {@code *} stands for all names that begin like it, {@code *} alone for all
 * @param directory where a private directory is made for output that is not kept in
 * memory, made itself if it is missing; null for the directory for temporary files
 * @param killGrace how long a process has to end when it is asked to (SIGTERM), before it
 * is forced to (SIGKILL); zero for at once, at most 700 ms
 * @param shutdownGrace how long a JVM that shuts down waits for somebody to close the
 * sandbox, such as an application framework that ends its work in order, before the
 * sandbox closes itself; zero for not at all
 * @param limits what each command may take of the machine
 * @since 0.1.0
 */
public record LocalProcessSandboxOptions(List<String> inheritEnv, @Nullable Path directory, Duration killGrace,
		Duration shutdownGrace, CommandLimits limits) {

	/**
	 * Creates the value.
	 * @param inheritEnv names of the entries of the JVM's environment that commands see,
	 * copied
	 * @param directory where a private directory is made, or null
	 * @param killGrace how long a process has to end when it is asked to
	 * @param shutdownGrace how long a shutdown waits for somebody to close the sandbox
	 * @param limits what each command may take of the machine
	 * @throws IllegalArgumentException if a name is none, or a grace is negative or too
	 * long
	 */
	public LocalProcessSandboxOptions {
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
	}

	/**
	 * Returns the usual options: {@code PATH}, {@code LANG} and {@code HOME}, the
	 * directory for temporary files, 200 ms, no wait at shutdown, no limits.
	 * @return the options
	 */
	public static LocalProcessSandboxOptions defaults() {
		return new LocalProcessSandboxOptions(EnvironmentAllowList.DEFAULT_NAMES, null, ProcessSpec.DEFAULT_KILL_GRACE,
				Duration.ZERO, CommandLimits.NONE);
	}

	/**
	 * Changes what commands see of the JVM's environment.
	 * @param inheritEnv names of entries
	 * @return changed options
	 * @throws IllegalArgumentException if a name is none
	 */
	public LocalProcessSandboxOptions withInheritEnv(List<String> inheritEnv) {
		return new LocalProcessSandboxOptions(inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.limits);
	}

	/**
	 * Changes where a private directory is made.
	 * @param directory a directory; null for the one for temporary files
	 * @return changed options
	 */
	public LocalProcessSandboxOptions withDirectory(@Nullable Path directory) {
		return new LocalProcessSandboxOptions(this.inheritEnv, directory, this.killGrace, this.shutdownGrace,
				this.limits);
	}

	/**
	 * Changes how long a process has to end when it is asked to.
	 * @param killGrace zero to 700 ms
	 * @return changed options
	 * @throws IllegalArgumentException if the grace is negative or too long
	 */
	public LocalProcessSandboxOptions withKillGrace(Duration killGrace) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, killGrace, this.shutdownGrace,
				this.limits);
	}

	/**
	 * Changes how long a shutdown waits for somebody to close the sandbox.
	 * @param shutdownGrace zero for not at all
	 * @return changed options
	 * @throws IllegalArgumentException if the grace is negative
	 */
	public LocalProcessSandboxOptions withShutdownGrace(Duration shutdownGrace) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, this.killGrace, shutdownGrace,
				this.limits);
	}

	/**
	 * Changes what each command may take of the machine.
	 * @param limits the limits
	 * @return changed options
	 */
	public LocalProcessSandboxOptions withLimits(CommandLimits limits) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				limits);
	}

}

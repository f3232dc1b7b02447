package io.kairo.sandbox.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link LocalProcessSandbox}. Immutable.
 *
 * @param inheritEnv names of the environment variables of the JVM that commands inherit;
 * a name that ends in {@code *} is a prefix, {@code *} alone stands for all; copied
 * @param directory the parent of a private directory for output that is not kept in
 * memory, created if it is missing; null for the directory for temporary files
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application, such as an
 * orderly shutdown of a framework, to close the sandbox before the sandbox closes itself;
 * zero for none
 * @param nativeCalls whether the JVM may start commands by direct system calls, if it
 * can; otherwise the Java platform starts them
 * @param limits resource limits of each command
 */
public record LocalProcessSandboxOptions(List<String> inheritEnv, @Nullable Path directory, Duration killGrace,
		Duration shutdownGrace, boolean nativeCalls, CommandLimits limits) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}, or a
	 * grace period is negative or too long
	 */
	public LocalProcessSandboxOptions {
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
	}

	/**
	 * Returns the default options: {@code PATH}, {@code LANG} and {@code HOME} are
	 * inherited, the private directory is in the directory for temporary files, the kill
	 * grace is 200 ms, and there is no shutdown grace and no limit.
	 * @return the options
	 */
	public static LocalProcessSandboxOptions defaults() {
		return new LocalProcessSandboxOptions(EnvironmentAllowList.DEFAULT_NAMES, null, ProcessSpec.DEFAULT_KILL_GRACE,
				Duration.ZERO, true, CommandLimits.NONE);
	}

	/**
	 * Returns options with other inherited environment variables.
	 * @param inheritEnv names of environment variables
	 * @return the changed options
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}
	 */
	public LocalProcessSandboxOptions withInheritEnv(List<String> inheritEnv) {
		return new LocalProcessSandboxOptions(inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another parent of the private directory.
	 * @param directory a directory; null for the one for temporary files
	 * @return the changed options
	 */
	public LocalProcessSandboxOptions withDirectory(@Nullable Path directory) {
		return new LocalProcessSandboxOptions(this.inheritEnv, directory, this.killGrace, this.shutdownGrace,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another time between SIGTERM and SIGKILL.
	 * @param killGrace zero to 700 ms
	 * @return the changed options
	 * @throws IllegalArgumentException if the grace is negative or too long
	 */
	public LocalProcessSandboxOptions withKillGrace(Duration killGrace) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, killGrace, this.shutdownGrace,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another shutdown grace.
	 * @param shutdownGrace the time, zero for none
	 * @return the changed options
	 * @throws IllegalArgumentException if the grace is negative
	 */
	public LocalProcessSandboxOptions withShutdownGrace(Duration shutdownGrace) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, this.killGrace, shutdownGrace,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options that say whether the JVM may start commands by direct system calls.
	 * @param nativeCalls whether it may
	 * @return the changed options
	 */
	public LocalProcessSandboxOptions withNativeCalls(boolean nativeCalls) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				nativeCalls, this.limits);
	}

	/**
	 * Returns options with other resource limits.
	 * @param limits the limits
	 * @return the changed options
	 */
	public LocalProcessSandboxOptions withLimits(CommandLimits limits) {
		return new LocalProcessSandboxOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.nativeCalls, limits);
	}

}

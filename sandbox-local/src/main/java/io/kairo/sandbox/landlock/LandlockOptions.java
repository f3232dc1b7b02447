package io.kairo.sandbox.landlock;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link LandlockSandbox}. Immutable.
 *
 * @param inheritEnv names of the environment variables of the JVM that commands inherit;
 * a name that ends in {@code *} is a prefix, {@code *} alone stands for all. {@code HOME}
 * is a temporary directory of the command unless a request sets it; copied
 * @param directory the parent of a private directory for temporary files of commands, and
 * for output that is not kept in memory, created if it is missing; null for the directory
 * for temporary files
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application to close
 * the sandbox before the sandbox closes itself; zero for none
 * @param readOnlyPaths additional files and directories of the host that commands can
 * read and execute, copied
 * @param hiddenPaths directories that no command may access; a request for a workspace or
 * mount that contains one of them is refused; copied
 * @param network the network access of commands
 * @param nativeCalls whether the JVM may make the system calls itself, if it can;
 * otherwise an installed program makes them, which takes longer and confines less
 * @param limits resource limits of each command; those of memory, processors and
 * processes are not supported
 */
public record LandlockOptions(List<String> inheritEnv, @Nullable Path directory, Duration killGrace,
		Duration shutdownGrace, List<Path> readOnlyPaths, List<Path> hiddenPaths, Network network, boolean nativeCalls,
		CommandLimits limits) {

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}, a grace
	 * period is negative or too long, or a path is not absolute
	 */
	public LandlockOptions {
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
		readOnlyPaths = List.copyOf(readOnlyPaths);
		hiddenPaths = List.copyOf(hiddenPaths);
		for (Path path : readOnlyPaths) {
			if (!path.isAbsolute() || path.getNameCount() == 0) {
				throw new IllegalArgumentException(
						"'" + path + "' cannot be made readable: name an absolute path other than the root directory");
			}
		}
	}

	/**
	 * Returns the default options: {@code PATH}, {@code LANG} and {@code HOME} are
	 * inherited, the kill grace is 200 ms, there is no shutdown grace, no network and no
	 * limit, and the JVM makes the system calls if it can.
	 * @return the options
	 */
	public static LandlockOptions defaults() {
		return new LandlockOptions(EnvironmentAllowList.DEFAULT_NAMES, null, ProcessSpec.DEFAULT_KILL_GRACE,
				Duration.ZERO, List.of(), List.of(), Network.NONE, true, CommandLimits.NONE);
	}

	/**
	 * Returns options with other inherited environment variables.
	 * @param inheritEnv names of environment variables
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public LandlockOptions withInheritEnv(List<String> inheritEnv) {
		return new LandlockOptions(inheritEnv, this.directory, this.killGrace, this.shutdownGrace, this.readOnlyPaths,
				this.hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another parent of the private directory.
	 * @param directory a directory; null for the one for temporary files
	 * @return the changed options
	 */
	public LandlockOptions withDirectory(@Nullable Path directory) {
		return new LandlockOptions(this.inheritEnv, directory, this.killGrace, this.shutdownGrace, this.readOnlyPaths,
				this.hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another time between SIGTERM and SIGKILL.
	 * @param killGrace zero to 700 ms
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public LandlockOptions withKillGrace(Duration killGrace) {
		return new LandlockOptions(this.inheritEnv, this.directory, killGrace, this.shutdownGrace, this.readOnlyPaths,
				this.hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another shutdown grace.
	 * @param shutdownGrace the time, zero for none
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public LandlockOptions withShutdownGrace(Duration shutdownGrace) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, shutdownGrace, this.readOnlyPaths,
				this.hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with other additional paths that commands can read.
	 * @param readOnlyPaths absolute paths
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public LandlockOptions withReadOnlyPaths(List<Path> readOnlyPaths) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace, readOnlyPaths,
				this.hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with other directories that no command may access.
	 * @param hiddenPaths directories
	 * @return the changed options
	 */
	public LandlockOptions withHiddenPaths(List<Path> hiddenPaths) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.readOnlyPaths, hiddenPaths, this.network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another network access.
	 * @param network the network access of commands
	 * @return the changed options
	 */
	public LandlockOptions withNetwork(Network network) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.readOnlyPaths, this.hiddenPaths, network, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options in which the JVM may or may not make the system calls itself.
	 * @param nativeCalls whether it may
	 * @return the changed options
	 */
	public LandlockOptions withNativeCalls(boolean nativeCalls) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.readOnlyPaths, this.hiddenPaths, this.network, nativeCalls, this.limits);
	}

	/**
	 * Returns options with other resource limits.
	 * @param limits the limits
	 * @return the changed options
	 */
	public LandlockOptions withLimits(CommandLimits limits) {
		return new LandlockOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.readOnlyPaths, this.hiddenPaths, this.network, this.nativeCalls, limits);
	}

	/**
	 * The network access of commands.
	 */
	public enum Network {

		/** No socket of the internet protocols, not even on the loopback interface. */
		NONE,

		/** The network of the host, including services on its loopback interface. */
		HOST

	}

}

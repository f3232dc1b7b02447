package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link BubblewrapSandbox}. Immutable.
 *
 * @param inheritEnv names of the environment variables of the JVM that commands inherit;
 * a name that ends in {@code *} is a prefix, {@code *} alone stands for all. {@code HOME}
 * is a directory of the sandbox unless a request sets it, and {@code PATH} keeps only
 * directories that exist in the sandbox; copied
 * @param directory the parent of a private directory for output that is not kept in
 * memory, created if it is missing; null for the directory for temporary files
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application to close
 * the sandbox before the sandbox closes itself; zero for none
 * @param executable the path of {@code bwrap}; null to search for it
 * @param runAs the user that commands run as, required if the JVM runs as root; null for
 * the user of the JVM
 * @param readOnlyPaths additional files and directories of the host that commands can
 * read, at their own paths, copied
 * @param hiddenPaths directories that no command sees, even inside a workspace, copied
 * @param network the network access of commands
 * @param unixSockets whether commands can use Unix domain sockets
 * @param tmpfsBytes maximum size of {@code /tmp}, and of {@code /dev/shm}, in bytes; at
 * least 64 KiB
 * @param nativeCalls whether the JVM may start commands by direct system calls, if it
 * can; otherwise the Java platform starts them
 * @param limits resource limits of each command
 */
public record BubblewrapOptions(List<String> inheritEnv, @Nullable Path directory, Duration killGrace,
		Duration shutdownGrace, @Nullable Path executable, @Nullable RunAs runAs, List<Path> readOnlyPaths,
		List<Path> hiddenPaths, Network network, UnixSockets unixSockets, long tmpfsBytes, boolean nativeCalls,
		CommandLimits limits) {

	/**
	 * Default of {@link #tmpfsBytes()}: 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	private static final long LEAST_TMPFS_BYTES = 64L << 10;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}, a grace
	 * period is negative or too long, a path is not absolute, or the size is too small
	 */
	public BubblewrapOptions {
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
		if (tmpfsBytes < LEAST_TMPFS_BYTES) {
			throw new IllegalArgumentException("The size for temporary files is " + tmpfsBytes
					+ " bytes: it must be at least " + LEAST_TMPFS_BYTES);
		}
	}

	/**
	 * Returns the default options: {@code PATH}, {@code LANG} and {@code HOME} are
	 * inherited, the kill grace is 200 ms, there is no shutdown grace, no network, no
	 * Unix domain socket and no limit, and directories for temporary files hold 256 MiB.
	 * @return the options
	 */
	public static BubblewrapOptions defaults() {
		return new BubblewrapOptions(EnvironmentAllowList.DEFAULT_NAMES, null, ProcessSpec.DEFAULT_KILL_GRACE,
				Duration.ZERO, null, null, List.of(), List.of(), Network.NONE, UnixSockets.DENIED, DEFAULT_TMPFS_BYTES,
				true, CommandLimits.NONE);
	}

	/**
	 * Returns options with other inherited environment variables.
	 * @param inheritEnv names of environment variables
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withInheritEnv(List<String> inheritEnv) {
		return new BubblewrapOptions(inheritEnv, this.directory, this.killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another parent of the private directory.
	 * @param directory a directory; null for the one for temporary files
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withDirectory(@Nullable Path directory) {
		return new BubblewrapOptions(this.inheritEnv, directory, this.killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another time between SIGTERM and SIGKILL.
	 * @param killGrace zero to 700 ms
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withKillGrace(Duration killGrace) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another shutdown grace.
	 * @param shutdownGrace the time, zero for none
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withShutdownGrace(Duration shutdownGrace) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another path of {@code bwrap}.
	 * @param executable a path; null to search for the program
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withExecutable(@Nullable Path executable) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace, executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another user that commands run as.
	 * @param runAs a user; null for the user of the JVM
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withRunAs(@Nullable RunAs runAs) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with other additional paths that commands can read.
	 * @param readOnlyPaths absolute paths
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withReadOnlyPaths(List<Path> readOnlyPaths) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with other hidden directories.
	 * @param hiddenPaths directories, which need not exist
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withHiddenPaths(List<Path> hiddenPaths) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with other network access.
	 * @param network the network access
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withNetwork(Network network) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, network, this.unixSockets,
				this.tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options that allow or deny Unix domain sockets.
	 * @param unixSockets whether commands can use them
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withUnixSockets(UnixSockets unixSockets) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, unixSockets,
				this.tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options with another maximum size of the directories for temporary files.
	 * @param tmpfsBytes a number of bytes, at least 64 KiB
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public BubblewrapOptions withTmpfsBytes(long tmpfsBytes) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				tmpfsBytes, this.nativeCalls, this.limits);
	}

	/**
	 * Returns options that say whether the JVM may start commands by direct system calls.
	 * @param nativeCalls whether it may
	 * @return the changed options
	 */
	public BubblewrapOptions withNativeCalls(boolean nativeCalls) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, nativeCalls, this.limits);
	}

	/**
	 * Returns options with other resource limits.
	 * @param limits the limits
	 * @return the changed options
	 */
	public BubblewrapOptions withLimits(CommandLimits limits) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.nativeCalls, limits);
	}

	/**
	 * The network access of commands.
	 */
	public enum Network {

		/** No network; each command has its own loopback interface. */
		NONE,

		/** The network of the host. */
		HOST,

		/**
		 * The hosts of an allow-list, through a proxy that the environment names. The
		 * list is an argument of the sandbox.
		 */
		ALLOW_LIST

	}

	/**
	 * Access to Unix domain sockets, which network namespaces do not restrict: a command
	 * can connect to a socket in its workspace on which a process of the host listens.
	 */
	public enum UnixSockets {

		/** Only socket pairs, as between a process and its child. */
		DENIED,

		/** All sockets, including those in the workspace. */
		ALLOWED

	}

}

package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link BubblewrapSandbox} runs commands. Immutable.
 *
 * @param inheritEnv names of the entries of the JVM's environment that commands see; one
 * that ends in {@code *} stands for all names that begin like it, {@code *} alone for
 * all. {@code HOME} is a directory of the sandbox unless a request sets it, and of
 * {@code PATH} only what exists in the sandbox is kept
 * @param directory where a private directory is made for output that is not kept in
 * memory, made itself if it is missing; null for the directory for temporary files
 * @param killGrace how long a process has to end when it is asked to (SIGTERM), before it
 * is forced to (SIGKILL); zero for at once, at most 700 ms
 * @param shutdownGrace how long a JVM that shuts down waits for somebody to close the
 * sandbox before the sandbox closes itself; zero for not at all
 * @param executable the program; null for the {@code bwrap} of this machine
 * @param runAs who commands run as where the JVM is root, needed there; null for the user
 * of the JVM
 * @param readOnlyPaths further files and directories of the host that commands can read,
 * at their own paths
 * @param hiddenPaths directories that no command sees, even within a workspace
 * @param network what commands reach over the network
 * @param unixSockets whether commands can use Unix domain sockets
 * @param tmpfsBytes the size of {@code /tmp}, and that of {@code /dev/shm}, at least 64
 * KiB
 * @param limits what each command may take of the machine
 * @since 0.1.0
 */
public record BubblewrapOptions(List<String> inheritEnv, @Nullable Path directory, Duration killGrace,
		Duration shutdownGrace, @Nullable Path executable, @Nullable RunAs runAs, List<Path> readOnlyPaths,
		List<Path> hiddenPaths, Network network, UnixSockets unixSockets, long tmpfsBytes, CommandLimits limits) {

	/**
	 * The usual {@link #tmpfsBytes()}: 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	private static final long LEAST_TMPFS_BYTES = 64L << 10;

	/**
	 * Creates the value.
	 * @param inheritEnv names of entries, copied
	 * @param directory where a private directory is made, or null
	 * @param killGrace how long a process has to end when it is asked to
	 * @param shutdownGrace how long a shutdown waits for somebody to close the sandbox
	 * @param executable the program, or null
	 * @param runAs who commands run as where the JVM is root, or null
	 * @param readOnlyPaths further paths that commands can read, copied
	 * @param hiddenPaths directories that no command sees, copied
	 * @param network what commands reach over the network
	 * @param unixSockets whether commands can use Unix domain sockets
	 * @param tmpfsBytes the size of the directories for temporary files
	 * @param limits what each command may take of the machine
	 * @throws IllegalArgumentException if a name is none, a grace is negative or too
	 * long, a path is not absolute, or the size is too small
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
						"'" + path + "' cannot be made visible: name an absolute path that is not the root directory");
			}
		}
		if (tmpfsBytes < LEAST_TMPFS_BYTES) {
			throw new IllegalArgumentException("The size for temporary files is " + tmpfsBytes
					+ " bytes: it must be at least " + LEAST_TMPFS_BYTES);
		}
	}

	/**
	 * Returns the usual options: {@code PATH}, {@code LANG} and {@code HOME}, 200 ms, no
	 * wait at shutdown, no network, no Unix domain sockets, 256 MiB.
	 * @return the options
	 */
	public static BubblewrapOptions defaults() {
		return new BubblewrapOptions(EnvironmentAllowList.DEFAULT_NAMES, null, ProcessSpec.DEFAULT_KILL_GRACE,
				Duration.ZERO, null, null, List.of(), List.of(), Network.NONE, UnixSockets.DENIED, DEFAULT_TMPFS_BYTES,
				CommandLimits.NONE);
	}

	/**
	 * Changes what commands see of the JVM's environment.
	 * @param inheritEnv names of entries
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withInheritEnv(List<String> inheritEnv) {
		return new BubblewrapOptions(inheritEnv, this.directory, this.killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Changes where a private directory is made.
	 * @param directory a directory; null for the one for temporary files
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withDirectory(@Nullable Path directory) {
		return new BubblewrapOptions(this.inheritEnv, directory, this.killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Changes how long a process has to end when it is asked to.
	 * @param killGrace zero to 700 ms
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withKillGrace(Duration killGrace) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, killGrace, this.shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Changes how long a shutdown waits for somebody to close the sandbox.
	 * @param shutdownGrace zero for not at all
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withShutdownGrace(Duration shutdownGrace) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, shutdownGrace, this.executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Changes which program is used.
	 * @param executable a path; null for the one of this machine
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withExecutable(@Nullable Path executable) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace, executable,
				this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Changes who commands run as where the JVM is root.
	 * @param runAs a user; null for the user of the JVM
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withRunAs(@Nullable RunAs runAs) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.limits);
	}

	/**
	 * Changes what else of the host commands can read.
	 * @param readOnlyPaths absolute paths
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withReadOnlyPaths(List<Path> readOnlyPaths) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.limits);
	}

	/**
	 * Changes what no command sees.
	 * @param hiddenPaths directories, which need not exist
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withHiddenPaths(List<Path> hiddenPaths) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, this.limits);
	}

	/**
	 * Changes what commands reach over the network.
	 * @param network what they reach
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withNetwork(Network network) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, network, this.unixSockets,
				this.tmpfsBytes, this.limits);
	}

	/**
	 * Changes whether commands can use Unix domain sockets.
	 * @param unixSockets whether they can
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withUnixSockets(UnixSockets unixSockets) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, unixSockets,
				this.tmpfsBytes, this.limits);
	}

	/**
	 * Changes the size of the directories for temporary files.
	 * @param tmpfsBytes a number of bytes, at least 64 KiB
	 * @return changed options
	 * @throws IllegalArgumentException if the value is not one that the constructor takes
	 */
	public BubblewrapOptions withTmpfsBytes(long tmpfsBytes) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				tmpfsBytes, this.limits);
	}

	/**
	 * Changes what each command may take of the machine.
	 * @param limits the limits
	 * @return changed options
	 */
	public BubblewrapOptions withLimits(CommandLimits limits) {
		return new BubblewrapOptions(this.inheritEnv, this.directory, this.killGrace, this.shutdownGrace,
				this.executable, this.runAs, this.readOnlyPaths, this.hiddenPaths, this.network, this.unixSockets,
				this.tmpfsBytes, limits);
	}

	/**
	 * What commands reach over the network.
	 *
	 * @since 0.1.0
	 */
	public enum Network {

		/** Nothing: there is a loopback interface of the command's own. */
		NONE,

		/** Whatever the host reaches. */
		HOST,

		/**
		 * The hosts of a list, over a proxy that the environment names. The list is an
		 * argument of the sandbox.
		 */
		ALLOW_LIST

	}

	/**
	 * Whether commands can use Unix domain sockets, which no network namespace stops: a
	 * socket of a process of the host that lies in the workspace can be connected to.
	 *
	 * @since 0.1.0
	 */
	public enum UnixSockets {

		/** Only pairs, as between a process and its child. */
		DENIED,

		/** All. Whoever puts a socket into a workspace offers it to commands. */
		ALLOWED

	}

}

package io.kairo.sandbox.docker;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link DockerSandbox}. Immutable.
 *
 * @param image the image of the containers, by name or digest; it is resolved once
 * @param pull whether a missing image is pulled
 * @param host the address of the engine, such as {@code unix:///var/run/docker.sock};
 * null for that of the environment variable {@code DOCKER_HOST}, else the usual one
 * @param workspaces whether the directories of commands are mounted or copied
 * @param maxCopyBytes maximum size of the files that are copied into a container for one
 * command, and of those that are copied back, in bytes; at least 1
 * @param pathMappings the paths on the machine of the engine, by the absolute paths at
 * which this JVM sees them; empty for those of the container that this JVM runs in, or
 * the same paths if there is none; copied
 * @param runtime the name of the runtime of the engine, such as {@code runsc}; null for
 * the default of the engine
 * @param mode how long a container is used
 * @param idleTimeout time after which a container without a command is removed, above
 * zero
 * @param maxIdle maximum number of containers without a command, at least 0; the one that
 * has been idle for longest is removed first
 * @param lease time after which a container ends if it hears nothing from this JVM, at
 * least 3 seconds
 * @param runAs the user that commands run as; null for the user of the JVM, or for the
 * owner of the workspace if that is root
 * @param inheritEnv names of the environment variables of the JVM that commands inherit
 * beyond those of the image; a name that ends in {@code *} is a prefix. {@code PATH} and
 * {@code HOME} are never inherited; copied
 * @param directory the parent of a private directory for output that is not kept in
 * memory, created if it is missing; null for the directory for temporary files
 * @param hiddenPaths directories that no command sees, even inside a workspace, copied
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application to close
 * the sandbox before the sandbox closes itself; zero for none
 * @param tmpfsBytes maximum size of {@code /tmp}, of {@code /dev/shm} and of the home
 * directory, each, in bytes; at least 64 KiB
 * @param limits resource limits of each command; where they leave memory, processors or
 * processes open, the defaults apply as far as the engine enforces them
 */
public record DockerOptions(String image, Pull pull, @Nullable URI host, Workspaces workspaces, long maxCopyBytes,
		Map<Path, Path> pathMappings, @Nullable String runtime, Mode mode, Duration idleTimeout, int maxIdle,
		Duration lease, @Nullable HostUser runAs, List<String> inheritEnv, @Nullable Path directory,
		List<Path> hiddenPaths, Duration killGrace, Duration shutdownGrace, long tmpfsBytes, CommandLimits limits) {

	/**
	 * Default of {@link #idleTimeout()}: five minutes.
	 */
	public static final Duration DEFAULT_IDLE_TIMEOUT = Duration.ofMinutes(5);

	/**
	 * Default of {@link #maxIdle()}.
	 */
	public static final int DEFAULT_MAX_IDLE = 16;

	/**
	 * Default of {@link #lease()}: 30 seconds.
	 */
	public static final Duration DEFAULT_LEASE = Duration.ofSeconds(30);

	/**
	 * Default of {@link #tmpfsBytes()}: 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	/**
	 * Maximum memory of a command by default, including swap: 2 GiB.
	 */
	public static final long DEFAULT_MEMORY_BYTES = 2L << 30;

	/**
	 * Maximum number of processors of a command by default; all of those that the engine
	 * has if that is fewer.
	 */
	public static final double DEFAULT_CPUS = 2;

	/**
	 * Maximum number of processes and threads of a command by default.
	 */
	public static final int DEFAULT_PIDS = 512;

	/**
	 * Default of {@link #maxCopyBytes()}: 1 GiB.
	 */
	public static final long DEFAULT_MAX_COPY_BYTES = 1L << 30;

	private static final Duration LEAST_LEASE = Duration.ofSeconds(3);

	private static final long LEAST_TMPFS_BYTES = 64L << 10;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the image is blank, the user is root, a name is
	 * blank or contains {@code =}, a mapped path is not absolute, or a number or time is
	 * out of its range
	 */
	public DockerOptions {
		if (image.isBlank()) {
			throw new IllegalArgumentException("The image is blank: name one, by name or digest");
		}
		if (maxCopyBytes < 1) {
			throw new IllegalArgumentException(
					"The size of the files to copy is " + maxCopyBytes + " bytes: it must be at least 1");
		}
		pathMappings = Map.copyOf(pathMappings);
		pathMappings.forEach(DockerOptions::requireAbsolute);
		if (idleTimeout.isNegative() || idleTimeout.isZero()) {
			throw new IllegalArgumentException("The idle timeout is " + idleTimeout + ": it must be above zero");
		}
		if (maxIdle < 0) {
			throw new IllegalArgumentException(
					"The number of idle containers is " + maxIdle + ": it must be at least 0");
		}
		if (lease.compareTo(LEAST_LEASE) < 0) {
			throw new IllegalArgumentException("The lease is " + lease + ": it must be at least " + LEAST_LEASE);
		}
		if (runAs != null && (runAs.uid() == 0 || runAs.gid() == 0)) {
			throw new IllegalArgumentException(runAs.uid() + ":" + runAs.gid()
					+ " is root or has its group: commands must run as another user, such as 65534");
		}
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		hiddenPaths = List.copyOf(hiddenPaths);
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
		if (tmpfsBytes < LEAST_TMPFS_BYTES) {
			throw new IllegalArgumentException("The size for temporary files is " + tmpfsBytes
					+ " bytes: it must be at least " + LEAST_TMPFS_BYTES);
		}
	}

	/**
	 * Returns the default options: no image is pulled, one container per session, no
	 * network, the default limits of resources, {@code LANG} is inherited, and commands
	 * run as the user of the JVM.
	 * @param image the image, by name or digest
	 * @return the options
	 * @throws IllegalArgumentException if the image is blank
	 */
	public static DockerOptions of(String image) {
		return new DockerOptions(image, Pull.NEVER, null, Workspaces.AUTO, DEFAULT_MAX_COPY_BYTES, Map.of(), null,
				Mode.SESSION, DEFAULT_IDLE_TIMEOUT, DEFAULT_MAX_IDLE, DEFAULT_LEASE, null,
				EnvironmentAllowList.DEFAULT_NAMES, null, List.of(), ProcessSpec.DEFAULT_KILL_GRACE, Duration.ZERO,
				DEFAULT_TMPFS_BYTES, CommandLimits.NONE);
	}

	/**
	 * Returns options that pull the image or do not.
	 * @param pull whether a missing image is pulled
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withPull(Pull pull) {
		return new DockerOptions(this.image, pull, this.host, this.workspaces, this.maxCopyBytes, this.pathMappings,
				this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs, this.inheritEnv,
				this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another address of the engine.
	 * @param host an address, or null for the usual one
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withHost(@Nullable URI host) {
		return new DockerOptions(this.image, this.pull, host, this.workspaces, this.maxCopyBytes, this.pathMappings,
				this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs, this.inheritEnv,
				this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options that mount the directories of commands or copy them.
	 * @param workspaces whether they are mounted or copied
	 * @param maxCopyBytes maximum size of the files to copy in bytes, at least 1
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withWorkspaces(Workspaces workspaces, long maxCopyBytes) {
		return new DockerOptions(this.image, this.pull, this.host, workspaces, maxCopyBytes, this.pathMappings,
				this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs, this.inheritEnv,
				this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with other paths on the machine of the engine.
	 * @param pathMappings the paths there, by the paths that this JVM sees
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withPathMappings(Map<Path, Path> pathMappings) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes, pathMappings,
				this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs, this.inheritEnv,
				this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes, this.limits);
	}

	/**
	 * Returns options with another runtime.
	 * @param runtime the name of a runtime, or null for the default of the engine
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withRuntime(@Nullable String runtime) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another use of containers.
	 * @param mode how long a container is used
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withMode(Mode mode) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another idle timeout.
	 * @param idleTimeout the time, above zero
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withIdleTimeout(Duration idleTimeout) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another number of idle containers.
	 * @param maxIdle the maximum, at least 0
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withMaxIdle(int maxIdle) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another lease.
	 * @param lease the time, at least 3 seconds
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withLease(Duration lease) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another user.
	 * @param runAs the user that commands run as, or null for that of the JVM
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withRunAs(@Nullable HostUser runAs) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with other inherited environment variables.
	 * @param inheritEnv names of environment variables
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withInheritEnv(List<String> inheritEnv) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another parent of the private directory.
	 * @param directory a directory; null for the one for temporary files
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withDirectory(@Nullable Path directory) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with other hidden directories.
	 * @param hiddenPaths directories that no command sees
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withHiddenPaths(List<Path> hiddenPaths) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another time between SIGTERM and SIGKILL.
	 * @param killGrace zero to 700 ms
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withKillGrace(Duration killGrace) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, killGrace, this.shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another shutdown grace.
	 * @param shutdownGrace the time, zero for none
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withShutdownGrace(Duration shutdownGrace) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, shutdownGrace, this.tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with another size for temporary files.
	 * @param tmpfsBytes the size in bytes, at least 64 KiB
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withTmpfsBytes(long tmpfsBytes) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, tmpfsBytes,
				this.limits);
	}

	/**
	 * Returns options with other resource limits.
	 * @param limits the limits of each command
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses the value
	 */
	public DockerOptions withLimits(CommandLimits limits) {
		return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
				this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease, this.runAs,
				this.inheritEnv, this.directory, this.hiddenPaths, this.killGrace, this.shutdownGrace, this.tmpfsBytes,
				limits);
	}

	private static void requireAbsolute(Path seen, Path source) {
		if (!seen.isAbsolute() || !source.isAbsolute()) {
			throw new IllegalArgumentException(
					"The path " + seen + " is mapped to " + source + ": both must be absolute");
		}
	}

	/**
	 * Whether an image is pulled.
	 */
	public enum Pull {

		/** The image has to exist in the engine. */
		NEVER,

		/**
		 * An image that does not exist in the engine is pulled by
		 * {@link DockerSandbox#problem()}, and never by a command.
		 */
		IF_MISSING

	}

	/**
	 * How commands get their directories.
	 */
	public enum Workspaces {

		/**
		 * Directories are mounted, unless the self-test finds that the engine does not
		 * see the files of this machine: then they are copied.
		 */
		AUTO,

		/** Directories are mounted. An engine that does not see them is not used. */
		MOUNT,

		/**
		 * Directories are copied into a container of its own for each command, and what
		 * the command changed is copied back when it has ended.
		 */
		COPY

	}

	/**
	 * How long a container is used.
	 */
	public enum Mode {

		/**
		 * A container runs one command after another, as long as tenant, session and
		 * directories are the same. What a command leaves in {@code /tmp} and in its home
		 * directory is there for the next one. Commands at the same time have containers
		 * of their own.
		 */
		SESSION,

		/** Each command has a container of its own, which is removed with it. */
		COMMAND

	}

}

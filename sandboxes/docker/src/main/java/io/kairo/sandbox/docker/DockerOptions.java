package io.kairo.sandbox.docker;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.OptionsBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link DockerSandbox}. Immutable.
 *
 * @param image the image of the containers, by name or digest; it is resolved once
 * @param pull whether a missing image is pulled
 * @param host the address of the engine, such as {@code unix:///var/run/docker.sock};
 * null for the one of the environment variable {@code DOCKER_HOST}, else the usual one
 * @param workspaces whether the directories of commands are mounted or copied
 * @param maxCopyBytes maximum size of the files that are copied into a container for one
 * command, and of the files that are copied back, in bytes; at least 1
 * @param pathMappings the paths on the machine of the engine, by their absolute paths in
 * this JVM; empty for the paths of the container that this JVM runs in, or the same paths
 * if there is none; copied
 * @param runtime the name of the runtime of the engine, such as {@code runsc}; null for
 * the default of the engine
 * @param mode how long a container is used
 * @param idleTimeout time until a container without a command is removed, above zero
 * @param maxIdle maximum number of containers without a command, at least 0; the longest
 * idle one is removed first
 * @param lease time until a container ends if it hears nothing from this JVM, at least 3
 * seconds
 * @param commands the settings that every backend shares. Without a user, commands run as
 * the user of the JVM, or as the owner of the workspace if that is root. Variables are
 * inherited in addition to the variables of the image, {@code PATH} and {@code HOME}
 * never. The network of the host is not supported. Caches need an engine that sees their
 * directory: below that of the settings, or on a mount of the container of this JVM; and
 * a user, if that of the JVM is root. Where the limits leave memory, processors or
 * processes open, the defaults apply as far as the engine enforces them
 */
public record DockerOptions(String image, Pull pull, @Nullable URI host, Workspaces workspaces, long maxCopyBytes,
		Map<Path, Path> pathMappings, @Nullable String runtime, Mode mode, Duration idleTimeout, int maxIdle,
		Duration lease, CommandSettings commands) {

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
	 * Default size of {@code /tmp}, of {@code /dev/shm} and of the home directory, each:
	 * 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	/**
	 * Maximum memory of a command by default, including swap: 2 GiB.
	 */
	public static final long DEFAULT_MEMORY_BYTES = 2L << 30;

	/**
	 * Maximum number of processors of a command by default; all processors of the engine
	 * if it has fewer.
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

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if the image is blank, a mapped path is not
	 * absolute, or a number or time is out of its range
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
		Objects.requireNonNull(commands, "commands");
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
				Mode.SESSION, DEFAULT_IDLE_TIMEOUT, DEFAULT_MAX_IDLE, DEFAULT_LEASE, CommandSettings.DEFAULTS);
	}

	/**
	 * Returns these options with changes.
	 * @param changes sets the new values
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses a value
	 */
	public DockerOptions with(Consumer<Builder> changes) {
		Builder builder = new Builder(this);
		changes.accept(builder);
		return builder.build();
	}

	/**
	 * Returns the maximum size of each directory for temporary files.
	 */
	long tmpfsBytes() {
		Long set = this.commands.tmpfsBytes();
		return (set != null) ? set : DEFAULT_TMPFS_BYTES;
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
		 * Directories are copied into a container of its own for each command, and the
		 * changes of the command are copied back when it has ended.
		 */
		COPY

	}

	/**
	 * How long a container is used.
	 */
	public enum Mode {

		/**
		 * A container runs one command after another, as long as tenant, session and
		 * directories are the same. Commands at the same time have containers of their
		 * own. Files that a command leaves in {@code /tmp} and in its home directory are
		 * there for the other commands of its session.
		 */
		SESSION,

		/** Each command has a container of its own. It is removed with the command. */
		COMMAND

	}

	/**
	 * Sets options, as described by the components of {@link DockerOptions}. Not safe for
	 * use by several threads.
	 */
	public static final class Builder extends OptionsBuilder<Builder> {

		private String image;

		private Pull pull;

		private @Nullable URI host;

		private Workspaces workspaces;

		private long maxCopyBytes;

		private Map<Path, Path> pathMappings;

		private @Nullable String runtime;

		private Mode mode;

		private Duration idleTimeout;

		private int maxIdle;

		private Duration lease;

		private Builder(DockerOptions options) {
			super(options.commands);
			this.image = options.image;
			this.pull = options.pull;
			this.host = options.host;
			this.workspaces = options.workspaces;
			this.maxCopyBytes = options.maxCopyBytes;
			this.pathMappings = options.pathMappings;
			this.runtime = options.runtime;
			this.mode = options.mode;
			this.idleTimeout = options.idleTimeout;
			this.maxIdle = options.maxIdle;
			this.lease = options.lease;
		}

		/**
		 * Sets whether a missing image is pulled.
		 * @param pull whether it is
		 * @return this builder
		 */
		public Builder pull(Pull pull) {
			this.pull = pull;
			return this;
		}

		/**
		 * Sets the address of the engine.
		 * @param host an address, or null
		 * @return this builder
		 */
		public Builder host(@Nullable URI host) {
			this.host = host;
			return this;
		}

		/**
		 * Sets whether directories are mounted or copied.
		 * @param workspaces whether they are
		 * @return this builder
		 */
		public Builder workspaces(Workspaces workspaces) {
			this.workspaces = workspaces;
			return this;
		}

		/**
		 * Sets the maximum size of the files to copy.
		 * @param maxCopyBytes bytes, at least 1
		 * @return this builder
		 */
		public Builder maxCopyBytes(long maxCopyBytes) {
			this.maxCopyBytes = maxCopyBytes;
			return this;
		}

		/**
		 * Sets the paths on the machine of the engine.
		 * @param pathMappings the paths there, by the paths that this JVM sees
		 * @return this builder
		 */
		public Builder pathMappings(Map<Path, Path> pathMappings) {
			this.pathMappings = pathMappings;
			return this;
		}

		/**
		 * Sets the runtime of the engine.
		 * @param runtime its name, or null
		 * @return this builder
		 */
		public Builder runtime(@Nullable String runtime) {
			this.runtime = runtime;
			return this;
		}

		/**
		 * Sets how long a container is used.
		 * @param mode how long
		 * @return this builder
		 */
		public Builder mode(Mode mode) {
			this.mode = mode;
			return this;
		}

		/**
		 * Sets the time until an idle container is removed.
		 * @param idleTimeout the time, above zero
		 * @return this builder
		 */
		public Builder idleTimeout(Duration idleTimeout) {
			this.idleTimeout = idleTimeout;
			return this;
		}

		/**
		 * Sets the maximum number of idle containers.
		 * @param maxIdle the number, at least 0
		 * @return this builder
		 */
		public Builder maxIdle(int maxIdle) {
			this.maxIdle = maxIdle;
			return this;
		}

		/**
		 * Sets the time until a container ends without this JVM.
		 * @param lease the time, at least 3 seconds
		 * @return this builder
		 */
		public Builder lease(Duration lease) {
			this.lease = lease;
			return this;
		}

		/**
		 * Returns the options as they are set.
		 * @return the options
		 * @throws IllegalArgumentException if a value is refused
		 */
		public DockerOptions build() {
			return new DockerOptions(this.image, this.pull, this.host, this.workspaces, this.maxCopyBytes,
					this.pathMappings, this.runtime, this.mode, this.idleTimeout, this.maxIdle, this.lease,
					this.commands);
		}

	}

}

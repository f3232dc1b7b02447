package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import io.kairo.sandbox.backend.OptionsBuilder;
import io.kairo.sandbox.support.Sessions;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link BubblewrapSandbox}. Immutable.
 *
 * @param executable the path of {@code bwrap}; null to search for it
 * @param unixSockets whether commands can use Unix domain sockets, bypassing an
 * allow-list
 * @param commands the settings that every backend shares. A user is required if the JVM
 * runs as root. {@code HOME} is a directory of the sandbox unless a request sets it, and
 * {@code PATH} keeps only directories that exist in the sandbox. Without a network, the
 * commands of a session have a loopback interface of their own
 * @param idleTimeout time until a session without a command loses its home directory and
 * its temporary files, above zero
 * @param maxIdle maximum number of sessions without a command, at least 0; with 0, each
 * command has a home directory, temporary files and a loopback interface of its own
 */
public record BubblewrapOptions(@Nullable Path executable, UnixSockets unixSockets, CommandSettings commands,
		Duration idleTimeout, int maxIdle) {

	/**
	 * The defaults: no network, no Unix domain socket and no limit.
	 */
	public static final BubblewrapOptions DEFAULTS = new BubblewrapOptions(null, UnixSockets.DENIED,
			CommandSettings.DEFAULTS, Sessions.DEFAULT_IDLE_TIMEOUT, Sessions.DEFAULT_MAX_IDLE);

	/**
	 * Default size of {@code /tmp}, of {@code /dev/shm} and of the home directory, each:
	 * 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if an allow-list is combined with Unix domain
	 * sockets, or a number or time is out of its range
	 */
	public BubblewrapOptions {
		if (commands.allowList() != null && unixSockets == UnixSockets.ALLOWED) {
			throw new IllegalArgumentException(
					"A list of allowed hosts cannot be enforced with Unix domain sockets, which bypass it: deny them");
		}
		Sessions.requireValid(idleTimeout, maxIdle);
	}

	/**
	 * Returns these options with changes.
	 * @param changes sets the new values
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses a value
	 */
	public BubblewrapOptions with(Consumer<Builder> changes) {
		Builder builder = new Builder(this);
		changes.accept(builder);
		return builder.build();
	}

	/**
	 * Returns the network access of commands, by default none.
	 */
	Network network() {
		return Objects.requireNonNullElse(this.commands.network(), Network.NONE);
	}

	/**
	 * Returns the maximum size of each directory for temporary files.
	 */
	long tmpfsBytes() {
		Long set = this.commands.tmpfsBytes();
		return (set != null) ? set : DEFAULT_TMPFS_BYTES;
	}

	/**
	 * Access to Unix domain sockets. Network namespaces do not restrict them: a command
	 * can connect to a process of the host that listens on a socket in its workspace.
	 */
	public enum UnixSockets {

		/** Only socket pairs, as between a process and its child. */
		DENIED,

		/** All sockets, including sockets in the workspace. */
		ALLOWED

	}

	/**
	 * Sets options, as described by the components of {@link BubblewrapOptions}. Not safe
	 * for use by several threads.
	 */
	public static final class Builder extends OptionsBuilder<Builder> {

		private @Nullable Path executable;

		private UnixSockets unixSockets;

		private Duration idleTimeout;

		private int maxIdle;

		private Builder(BubblewrapOptions options) {
			super(options.commands);
			this.executable = options.executable;
			this.unixSockets = options.unixSockets;
			this.idleTimeout = options.idleTimeout;
			this.maxIdle = options.maxIdle;
		}

		/**
		 * Sets the path of {@code bwrap}.
		 * @param executable a path, or null
		 * @return this builder
		 */
		public Builder executable(@Nullable Path executable) {
			this.executable = executable;
			return this;
		}

		/**
		 * Sets whether commands can use Unix domain sockets.
		 * @param unixSockets whether they can
		 * @return this builder
		 */
		public Builder unixSockets(UnixSockets unixSockets) {
			this.unixSockets = unixSockets;
			return this;
		}

		/**
		 * Sets the time until a session without a command ends.
		 * @param idleTimeout a time above zero
		 * @return this builder
		 */
		public Builder idleTimeout(Duration idleTimeout) {
			this.idleTimeout = idleTimeout;
			return this;
		}

		/**
		 * Sets the maximum number of sessions without a command.
		 * @param maxIdle a number, 0 for no sessions
		 * @return this builder
		 */
		public Builder maxIdle(int maxIdle) {
			this.maxIdle = maxIdle;
			return this;
		}

		/**
		 * Returns the options as they are set.
		 * @return the options
		 * @throws IllegalArgumentException if a value is refused
		 */
		public BubblewrapOptions build() {
			return new BubblewrapOptions(this.executable, this.unixSockets, this.commands, this.idleTimeout,
					this.maxIdle);
		}

	}

}

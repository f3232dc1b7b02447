package io.kairo.sandbox.bubblewrap;

import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Consumer;

import io.kairo.sandbox.backend.CommandSettings;
import io.kairo.sandbox.backend.CommandSettings.Network;
import org.jspecify.annotations.Nullable;

/**
 * Options of a {@link BubblewrapSandbox}. Immutable.
 *
 * @param executable the path of {@code bwrap}; null to search for it
 * @param unixSockets whether commands can use Unix domain sockets, bypassing an
 * allow-list
 * @param commands the settings that every backend shares. A user is required if the JVM
 * runs as root. {@code HOME} is a directory of the sandbox unless a request sets it, and
 * {@code PATH} keeps only directories that exist in the sandbox. Without a network, each
 * command has its own loopback interface
 */
public record BubblewrapOptions(@Nullable Path executable, UnixSockets unixSockets, CommandSettings commands) {

	/**
	 * The defaults: no network, no Unix domain socket and no limit.
	 */
	public static final BubblewrapOptions DEFAULTS = new BubblewrapOptions(null, UnixSockets.DENIED,
			CommandSettings.DEFAULTS);

	/**
	 * Default size of {@code /tmp}, and of {@code /dev/shm}: 256 MiB.
	 */
	public static final long DEFAULT_TMPFS_BYTES = 256L << 20;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if an allow-list is combined with Unix domain
	 * sockets
	 */
	public BubblewrapOptions {
		if (commands.allowList() != null && unixSockets == UnixSockets.ALLOWED) {
			throw new IllegalArgumentException(
					"A list of allowed hosts cannot be enforced with Unix domain sockets, which bypass it: deny them");
		}
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
	public static final class Builder {

		private @Nullable Path executable;

		private UnixSockets unixSockets;

		private CommandSettings commands;

		private Builder(BubblewrapOptions options) {
			this.executable = options.executable;
			this.unixSockets = options.unixSockets;
			this.commands = options.commands;
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
		 * Sets the settings that every backend shares.
		 * @param commands the settings
		 * @return this builder
		 */
		public Builder commands(CommandSettings commands) {
			this.commands = commands;
			return this;
		}

		/**
		 * Changes the settings that every backend shares.
		 * @param changes sets the new values
		 * @return this builder
		 * @throws IllegalArgumentException if the settings refuse a value
		 */
		public Builder commands(Consumer<CommandSettings.Builder> changes) {
			return commands(this.commands.with(changes));
		}

		/**
		 * Returns the options as they are set.
		 * @return the options
		 * @throws IllegalArgumentException if a value is refused
		 */
		public BubblewrapOptions build() {
			return new BubblewrapOptions(this.executable, this.unixSockets, this.commands);
		}

	}

}

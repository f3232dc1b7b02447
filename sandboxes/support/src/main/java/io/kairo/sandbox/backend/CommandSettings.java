package io.kairo.sandbox.backend;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.kairo.host.HostUser;
import io.kairo.sandbox.support.CommandLimits;
import io.kairo.sandbox.support.EnvironmentAllowList;
import io.kairo.sandbox.support.ProcessSpec;
import io.kairo.sandbox.support.cache.CacheOptions;
import io.kairo.sandbox.support.proxy.AllowList;
import io.kairo.sandbox.support.proxy.AllowListProxy;
import org.jspecify.annotations.Nullable;

/**
 * The settings for commands that every backend shares. A backend that cannot apply one of
 * them documents that. Immutable.
 *
 * @param inheritEnv names of the environment variables of the JVM that commands inherit;
 * a name that ends in {@code *} is a prefix, {@code *} alone stands for all; copied
 * @param directory the parent of a private directory for temporary files and for output
 * that is not kept in memory, created if it is missing; null for the directory for
 * temporary files
 * @param hiddenPaths directories that no command sees, even inside a workspace; they need
 * not exist; copied
 * @param readOnlyPaths additional files and directories of the host that commands can
 * read, at their own absolute paths, copied
 * @param killGrace time between SIGTERM and SIGKILL when a command is ended; zero for
 * SIGKILL at once, at most 700 ms
 * @param shutdownGrace time that a shutdown of the JVM leaves the application, such as an
 * orderly shutdown of a framework, to close the sandbox before the sandbox closes itself;
 * zero for none
 * @param network the network access of commands; null for the most restrictive access
 * that the backend enforces
 * @param allowList the hosts that commands can reach, with {@link Network#ALLOW_LIST} and
 * only then
 * @param runAs the user that commands run as, neither root nor with its group; null for
 * the default of the backend
 * @param tmpfsBytes maximum size of each directory for temporary files that the sandbox
 * provides, such as {@code /tmp}, in bytes, at least 64 KiB; null for the default of the
 * backend
 * @param caches the directories in the home directory of commands that last from session
 * to session; no command sees those of other tenants; null for none
 * @param nativeCalls whether the JVM may make system calls itself, if it can; otherwise
 * the Java platform or an installed program makes them
 * @param limits resource limits of each command
 */
public record CommandSettings(List<String> inheritEnv, @Nullable Path directory, List<Path> hiddenPaths,
		List<Path> readOnlyPaths, Duration killGrace, Duration shutdownGrace, @Nullable Network network,
		@Nullable AllowList allowList, @Nullable HostUser runAs, @Nullable Long tmpfsBytes,
		@Nullable CacheOptions caches, boolean nativeCalls, CommandLimits limits) {

	/**
	 * The defaults: {@code PATH}, {@code LANG} and {@code HOME} are inherited, the kill
	 * grace is 200 ms, there is no shutdown grace and no limit, and the JVM makes system
	 * calls if it can.
	 */
	public static final CommandSettings DEFAULTS = new CommandSettings(EnvironmentAllowList.DEFAULT_NAMES, null,
			List.of(), List.of(), ProcessSpec.DEFAULT_KILL_GRACE, Duration.ZERO, null, null, null, null, null, true,
			CommandLimits.NONE);

	private static final long LEAST_TMPFS_BYTES = 64L << 10;

	/**
	 * Creates the value.
	 * @throws IllegalArgumentException if a name is blank or contains {@code =}, a path
	 * to read is not absolute, a grace period is negative or too long, the user is root,
	 * the size is too small, or there is an allow-list for another network access, or
	 * none for this
	 */
	public CommandSettings {
		inheritEnv = new EnvironmentAllowList(inheritEnv).names();
		hiddenPaths = hidden(hiddenPaths, caches);
		readOnlyPaths = List.copyOf(readOnlyPaths);
		for (Path path : readOnlyPaths) {
			if (!path.isAbsolute() || path.getNameCount() == 0) {
				throw new IllegalArgumentException(
						"'" + path + "' cannot be made readable: name an absolute path other than the root directory");
			}
		}
		ProcessSpec.requireKillGrace(killGrace);
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
		if ((network == Network.ALLOW_LIST) != (allowList != null)) {
			throw new IllegalArgumentException(
					"The network is " + network + ": pass a list of allowed hosts with ALLOW_LIST, and only then");
		}
		if (runAs != null && (runAs.uid() == 0 || runAs.gid() == 0)) {
			throw new IllegalArgumentException(
					runAs + " is root or has its group: commands must run as another user, such as 65534");
		}
		if (tmpfsBytes != null && tmpfsBytes < LEAST_TMPFS_BYTES) {
			throw new IllegalArgumentException("The size for temporary files is " + tmpfsBytes
					+ " bytes: it must be at least " + LEAST_TMPFS_BYTES);
		}
	}

	private static List<Path> hidden(List<Path> paths, @Nullable CacheOptions caches) {
		if (caches == null || paths.stream().anyMatch(caches.directory()::startsWith)) {
			return List.copyOf(paths);
		}
		return Stream.concat(paths.stream(), Stream.of(caches.directory())).toList();
	}

	/**
	 * Returns these settings with changes.
	 * @param changes sets the new values
	 * @return the changed settings
	 * @throws IllegalArgumentException if the constructor refuses a value
	 */
	public CommandSettings with(Consumer<Builder> changes) {
		Builder builder = new Builder(this);
		changes.accept(builder);
		return builder.build();
	}

	/**
	 * Creates the proxy to the hosts of the allow-list.
	 * @return a proxy, or null without an allow-list
	 */
	public @Nullable AllowListProxy newProxy() {
		return (this.allowList != null) ? new AllowListProxy(this.allowList) : null;
	}

	/**
	 * The network access of commands.
	 */
	public enum Network {

		/** No network. */
		NONE,

		/** The hosts of the allow-list, through a proxy that the environment names. */
		ALLOW_LIST,

		/** The network of the host, including services on its loopback interface. */
		HOST

	}

	/**
	 * Sets settings, as described by the components of {@link CommandSettings}. Not safe
	 * for use by several threads.
	 */
	public static final class Builder {

		private List<String> inheritEnv;

		private @Nullable Path directory;

		private List<Path> hiddenPaths;

		private List<Path> readOnlyPaths;

		private Duration killGrace;

		private Duration shutdownGrace;

		private @Nullable Network network;

		private @Nullable AllowList allowList;

		private @Nullable HostUser runAs;

		private @Nullable Long tmpfsBytes;

		private @Nullable CacheOptions caches;

		private boolean nativeCalls;

		private CommandLimits limits;

		private Builder(CommandSettings settings) {
			this.inheritEnv = settings.inheritEnv;
			this.directory = settings.directory;
			this.hiddenPaths = settings.hiddenPaths;
			this.readOnlyPaths = settings.readOnlyPaths;
			this.killGrace = settings.killGrace;
			this.shutdownGrace = settings.shutdownGrace;
			this.network = settings.network;
			this.allowList = settings.allowList;
			this.runAs = settings.runAs;
			this.tmpfsBytes = settings.tmpfsBytes;
			this.caches = settings.caches;
			this.nativeCalls = settings.nativeCalls;
			this.limits = settings.limits;
		}

		/**
		 * Sets the inherited environment variables.
		 * @param inheritEnv names or prefixes
		 * @return this builder
		 */
		public Builder inheritEnv(List<String> inheritEnv) {
			this.inheritEnv = inheritEnv;
			return this;
		}

		/**
		 * Sets the parent of the private directory.
		 * @param directory a directory, or null
		 * @return this builder
		 */
		public Builder directory(@Nullable Path directory) {
			this.directory = directory;
			return this;
		}

		/**
		 * Sets the hidden directories.
		 * @param hiddenPaths directories
		 * @return this builder
		 */
		public Builder hiddenPaths(List<Path> hiddenPaths) {
			this.hiddenPaths = hiddenPaths;
			return this;
		}

		/**
		 * Sets the additional paths to read.
		 * @param readOnlyPaths absolute paths
		 * @return this builder
		 */
		public Builder readOnlyPaths(List<Path> readOnlyPaths) {
			this.readOnlyPaths = readOnlyPaths;
			return this;
		}

		/**
		 * Sets the time between SIGTERM and SIGKILL.
		 * @param killGrace zero to 700 ms
		 * @return this builder
		 */
		public Builder killGrace(Duration killGrace) {
			this.killGrace = killGrace;
			return this;
		}

		/**
		 * Sets the shutdown grace.
		 * @param shutdownGrace the time, at least zero
		 * @return this builder
		 */
		public Builder shutdownGrace(Duration shutdownGrace) {
			this.shutdownGrace = shutdownGrace;
			return this;
		}

		/**
		 * Sets the network access, without an allow-list.
		 * @param network the access; {@link Network#ALLOW_LIST} with
		 * {@link #allowList(AllowList)} only
		 * @return this builder
		 */
		public Builder network(@Nullable Network network) {
			this.network = network;
			this.allowList = null;
			return this;
		}

		/**
		 * Sets the network access to the hosts of an allow-list.
		 * @param allowList the hosts
		 * @return this builder
		 */
		public Builder allowList(AllowList allowList) {
			this.network = Network.ALLOW_LIST;
			this.allowList = allowList;
			return this;
		}

		/**
		 * Sets the user of commands.
		 * @param runAs a user, or null
		 * @return this builder
		 */
		public Builder runAs(@Nullable HostUser runAs) {
			this.runAs = runAs;
			return this;
		}

		/**
		 * Sets the size of directories for temporary files.
		 * @param tmpfsBytes bytes, or null
		 * @return this builder
		 */
		public Builder tmpfsBytes(@Nullable Long tmpfsBytes) {
			this.tmpfsBytes = tmpfsBytes;
			return this;
		}

		/**
		 * Sets the directories that last from session to session.
		 * @param caches the options, or null
		 * @return this builder
		 */
		public Builder caches(@Nullable CacheOptions caches) {
			this.caches = caches;
			return this;
		}

		/**
		 * Sets whether the JVM may make system calls itself.
		 * @param nativeCalls whether it may
		 * @return this builder
		 */
		public Builder nativeCalls(boolean nativeCalls) {
			this.nativeCalls = nativeCalls;
			return this;
		}

		/**
		 * Sets the resource limits.
		 * @param limits the limits
		 * @return this builder
		 */
		public Builder limits(CommandLimits limits) {
			this.limits = limits;
			return this;
		}

		/**
		 * Returns the settings as they are set.
		 * @return the settings
		 * @throws IllegalArgumentException if a value is refused
		 */
		public CommandSettings build() {
			return new CommandSettings(this.inheritEnv, this.directory, this.hiddenPaths, this.readOnlyPaths,
					this.killGrace, this.shutdownGrace, this.network, this.allowList, this.runAs, this.tmpfsBytes,
					this.caches, this.nativeCalls, this.limits);
		}

	}

}

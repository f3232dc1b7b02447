package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;

import javax.net.ssl.SSLContext;

import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link RemoteSandbox}. Immutable.
 *
 * @param workers the addresses of the workers, {@code https}, or {@code http} to a
 * loopback address; at least one
 * @param token the secret that identifies this client; null to identify it by a
 * certificate
 * @param mappings the directories that this machine shares with the workers, at least one
 * unless directories are copied
 * @param selector selects the worker of a command
 * @param required the capabilities that a worker must enforce for a command to start
 * there, in addition to the needs of the command itself
 * @param ssl the certificates to use and to trust; null for the certificates of the JVM
 * @param patience maximum time to repeat a start if no worker answers, above zero
 * @param directory the parent of the directory for output that is not kept in memory;
 * null for the directory for temporary files
 * @param shutdownGrace time that a shutdown of the JVM leaves the application to close
 * the sandbox before it closes itself, at least zero
 * @param copies the options for copies of directories that are not shared; null to refuse
 * commands that use any
 */
public record RemoteSandboxOptions(List<URI> workers, @Nullable String token, List<PathMapping> mappings,
		WorkerSelector selector, Set<SandboxCapability> required, @Nullable SSLContext ssl, Duration patience,
		@Nullable Path directory, Duration shutdownGrace, @Nullable WorkspaceCopies copies) {

	/** Default maximum size of the files that are copied for one command: 1 GB. */
	public static final long DEFAULT_MAX_COPY_BYTES = 1 << 30;

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if one of them cannot be used
	 */
	public RemoteSandboxOptions {
		workers = List.copyOf(workers);
		mappings = List.copyOf(mappings);
		required = Set.copyOf(required);
		Objects.requireNonNull(selector, "selector");
		if (workers.isEmpty() || new HashSet<>(workers).size() < workers.size()) {
			throw new IllegalArgumentException(
					"The addresses of the workers are " + workers + ": give at least one, and none twice");
		}
		workers.forEach(RemoteSandboxOptions::check);
		if (mappings.isEmpty() && copies == null) {
			throw new IllegalArgumentException(
					"This machine and the workers share no directory: map at least the one of the workspaces, or let them be copied");
		}
		if (patience.isNegative() || patience.isZero()) {
			throw new IllegalArgumentException("The patience is " + patience + ": it must be above zero");
		}
		if (shutdownGrace.isNegative()) {
			throw new IllegalArgumentException("The shutdown grace is " + shutdownGrace + ": it must be at least zero");
		}
	}

	private static void check(URI worker) {
		boolean encrypted = "https".equals(worker.getScheme());
		if (worker.getHost() == null || !(encrypted || "http".equals(worker.getScheme()))
				|| worker.getUserInfo() != null || worker.getQuery() != null || worker.getFragment() != null) {
			throw new IllegalArgumentException(
					"The address of the worker is " + worker + ": give one such as https://worker:8443");
		}
		if (!encrypted && !isLoopback(worker.getHost())) {
			throw new IllegalArgumentException("The address of the worker is " + worker
					+ ", over which the token and the output would be sent without encryption: use https");
		}
	}

	/**
	 * Returns options with the defaults: the least loaded worker, no required
	 * capabilities, the certificates of the JVM, 15 seconds of patience, the directory
	 * for temporary files, no grace, and copies of up to 1 GB if no directory is shared,
	 * otherwise none.
	 * @param worker the address of the worker
	 * @param token the secret
	 * @param mappings the shared directories
	 * @return the options
	 * @throws IllegalArgumentException if one of them cannot be used
	 */
	public static RemoteSandboxOptions of(URI worker, @Nullable String token, PathMapping... mappings) {
		WorkspaceCopies copies = (mappings.length == 0) ? new WorkspaceCopies(DEFAULT_MAX_COPY_BYTES, List.of()) : null;
		return new RemoteSandboxOptions(List.of(worker), token, List.of(mappings), WorkerSelector.leastLoaded(),
				Set.of(), null, Duration.ofSeconds(15), null, Duration.ZERO, copies);
	}

	/**
	 * Returns whether a host is this machine. Names are not looked up.
	 */
	private static boolean isLoopback(String host) {
		return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
	}

	/**
	 * Returns these options with changes.
	 * @param changes sets the new values
	 * @return the changed options
	 * @throws IllegalArgumentException if the constructor refuses a value
	 */
	public RemoteSandboxOptions with(Consumer<Builder> changes) {
		Builder builder = new Builder(this);
		changes.accept(builder);
		return builder.build();
	}

	@Override
	public String toString() {
		// not the token
		return "RemoteSandboxOptions[workers=" + this.workers + ", mappings=" + this.mappings + "]";
	}

	/**
	 * Sets options, as described by the components of {@link RemoteSandboxOptions}. Not
	 * safe for use by several threads.
	 */
	public static final class Builder {

		private List<URI> workers;

		private @Nullable String token;

		private List<PathMapping> mappings;

		private WorkerSelector selector;

		private Set<SandboxCapability> required;

		private @Nullable SSLContext ssl;

		private Duration patience;

		private @Nullable Path directory;

		private Duration shutdownGrace;

		private @Nullable WorkspaceCopies copies;

		private Builder(RemoteSandboxOptions options) {
			this.workers = options.workers;
			this.token = options.token;
			this.mappings = options.mappings;
			this.selector = options.selector;
			this.required = options.required;
			this.ssl = options.ssl;
			this.patience = options.patience;
			this.directory = options.directory;
			this.shutdownGrace = options.shutdownGrace;
			this.copies = options.copies;
		}

		/**
		 * Sets the addresses of the workers.
		 * @param workers at least one
		 * @return this builder
		 */
		public Builder workers(List<URI> workers) {
			this.workers = workers;
			return this;
		}

		/**
		 * Sets the selection of the worker of a command.
		 * @param selector the selector
		 * @return this builder
		 */
		public Builder selector(WorkerSelector selector) {
			this.selector = selector;
			return this;
		}

		/**
		 * Sets the capabilities that a worker must enforce for a command to start there.
		 * @param required the capabilities
		 * @return this builder
		 */
		public Builder required(Set<SandboxCapability> required) {
			this.required = required;
			return this;
		}

		/**
		 * Sets the certificates to use and to trust.
		 * @param ssl the certificates, or null
		 * @return this builder
		 */
		public Builder ssl(@Nullable SSLContext ssl) {
			this.ssl = ssl;
			return this;
		}

		/**
		 * Sets the maximum time to repeat a start if no worker answers.
		 * @param patience the time, above zero
		 * @return this builder
		 */
		public Builder patience(Duration patience) {
			this.patience = patience;
			return this;
		}

		/**
		 * Sets the parent of the directory for output.
		 * @param directory a directory, or null
		 * @return this builder
		 */
		public Builder directory(@Nullable Path directory) {
			this.directory = directory;
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
		 * Sets the options for copies of directories that are not shared.
		 * @param copies the options, or null
		 * @return this builder
		 */
		public Builder copies(@Nullable WorkspaceCopies copies) {
			this.copies = copies;
			return this;
		}

		/**
		 * Returns the options as they are set.
		 * @return the options
		 * @throws IllegalArgumentException if a value is refused
		 */
		public RemoteSandboxOptions build() {
			return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required,
					this.ssl, this.patience, this.directory, this.shutdownGrace, this.copies);
		}

	}

}

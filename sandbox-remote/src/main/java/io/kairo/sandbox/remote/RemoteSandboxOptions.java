package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.SSLContext;

import io.kairo.api.sandbox.SandboxCapability;
import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link RemoteSandbox}. Immutable.
 *
 * @param workers the addresses of the workers, {@code https}, or {@code http} to a
 * loopback address; at least one
 * @param token the secret with which this client identifies itself; null to do so by a
 * certificate
 * @param mappings the directories that this machine shares with the workers, at least one
 * unless directories are copied
 * @param selector selects the worker of a command
 * @param required what a worker must enforce for a command to start there, beside what
 * the command itself needs
 * @param ssl the certificates to use and to trust; null for those of the JVM
 * @param patience time for which a start is repeated if no worker answers, above zero
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
	 * Returns the same options with other workers.
	 * @param workers the addresses of the workers, at least one
	 * @return the options
	 * @throws IllegalArgumentException if one of them cannot be used
	 */
	public RemoteSandboxOptions withWorkers(List<URI> workers) {
		return new RemoteSandboxOptions(workers, this.token, this.mappings, this.selector, this.required, this.ssl,
				this.patience, this.directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with another selector.
	 * @param selector selects the worker of a command
	 * @return the options
	 */
	public RemoteSandboxOptions withSelector(WorkerSelector selector) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, selector, this.required, this.ssl,
				this.patience, this.directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with other required capabilities.
	 * @param required what a worker must enforce for a command to start there
	 * @return the options
	 */
	public RemoteSandboxOptions withRequired(Set<SandboxCapability> required) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, required, this.ssl,
				this.patience, this.directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with other certificates.
	 * @param ssl the certificates to use and to trust; null for those of the JVM
	 * @return the options
	 */
	public RemoteSandboxOptions withSsl(@Nullable SSLContext ssl) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required, ssl,
				this.patience, this.directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with another patience.
	 * @param patience time for which a start is repeated, above zero
	 * @return the options
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public RemoteSandboxOptions withPatience(Duration patience) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required, this.ssl,
				patience, this.directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with another directory.
	 * @param directory the parent of the directory for output that is not kept in memory;
	 * null for the directory for temporary files
	 * @return the options
	 */
	public RemoteSandboxOptions withDirectory(@Nullable Path directory) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required, this.ssl,
				this.patience, directory, this.shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with another grace.
	 * @param shutdownGrace time that a shutdown of the JVM leaves the application to
	 * close the sandbox, at least zero
	 * @return the options
	 * @throws IllegalArgumentException if it is negative
	 */
	public RemoteSandboxOptions withShutdownGrace(Duration shutdownGrace) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required, this.ssl,
				this.patience, this.directory, shutdownGrace, this.copies);
	}

	/**
	 * Returns the same options with copies of directories that this machine does not
	 * share with the workers.
	 * @param maxBytes maximum size of the files of one command in each direction, above
	 * zero
	 * @return the options
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public RemoteSandboxOptions withCopies(long maxBytes) {
		return withCopies(new WorkspaceCopies(maxBytes, List.of()));
	}

	/**
	 * Returns the same options with other ones for copies of directories.
	 * @param copies the options for copies; null to refuse commands that use directories
	 * that are not shared
	 * @return the options
	 * @throws IllegalArgumentException if no directory is shared either
	 */
	public RemoteSandboxOptions withCopies(@Nullable WorkspaceCopies copies) {
		return new RemoteSandboxOptions(this.workers, this.token, this.mappings, this.selector, this.required, this.ssl,
				this.patience, this.directory, this.shutdownGrace, copies);
	}

	@Override
	public String toString() {
		// not the token
		return "RemoteSandboxOptions[workers=" + this.workers + ", mappings=" + this.mappings + "]";
	}

}

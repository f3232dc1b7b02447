package io.kairo.sandbox.remote;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link RemoteSandbox}. Immutable.
 *
 * @param worker the address of the worker, {@code https}, or {@code http} to a loopback
 * address
 * @param token the secret with which this client identifies itself; null to do so by a
 * certificate
 * @param mappings the directories that both machines share
 * @param ssl the certificates to use and to trust; null for those of the JVM
 * @param patience time for which a start is repeated if the worker does not answer, above
 * zero
 * @param directory the parent of the directory for output that is not kept in memory;
 * null for the directory for temporary files
 * @since 0.1.0
 */
public record RemoteSandboxOptions(URI worker, @Nullable String token, List<PathMapping> mappings,
		@Nullable SSLContext ssl, Duration patience, @Nullable Path directory) {

	/**
	 * Creates the options.
	 * @param worker the address of the worker
	 * @param token the secret, or null
	 * @param mappings the directories that both machines share, at least one
	 * @param ssl the certificates, or null
	 * @param patience time for which a start is repeated
	 * @param directory the parent of the directory for output, or null
	 * @throws IllegalArgumentException if one of them cannot be used
	 */
	public RemoteSandboxOptions {
		Objects.requireNonNull(worker, "worker");
		mappings = List.copyOf(mappings);
		boolean encrypted = "https".equals(worker.getScheme());
		if (worker.getHost() == null || !(encrypted || "http".equals(worker.getScheme()))) {
			throw new IllegalArgumentException(
					"The address of the worker is " + worker + ": give one such as https://worker:8443");
		}
		if (!encrypted && !isLoopback(worker.getHost())) {
			throw new IllegalArgumentException("The address of the worker is " + worker
					+ ", over which the token and the output would be sent without encryption: use https");
		}
		if (mappings.isEmpty()) {
			throw new IllegalArgumentException(
					"This machine and the worker share no directory: map at least the one of the workspaces");
		}
		if (patience.isNegative() || patience.isZero()) {
			throw new IllegalArgumentException("The patience is " + patience + ": it must be above zero");
		}
	}

	/**
	 * Returns options with the defaults: the certificates of the JVM, 15 seconds of
	 * patience, and the directory for temporary files.
	 * @param worker the address of the worker
	 * @param token the secret
	 * @param mappings the directories that both machines share, at least one
	 * @return the options
	 * @throws IllegalArgumentException if one of them cannot be used
	 */
	public static RemoteSandboxOptions of(URI worker, String token, PathMapping... mappings) {
		return new RemoteSandboxOptions(worker, token, List.of(mappings), null, Duration.ofSeconds(15), null);
	}

	/**
	 * Returns whether a host is this machine. Names are not looked up.
	 */
	private static boolean isLoopback(String host) {
		return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.\\d{1,3}){3}");
	}

	/**
	 * Returns the same options with other certificates.
	 * @param ssl the certificates to use and to trust; null for those of the JVM
	 * @return the options
	 */
	public RemoteSandboxOptions withSsl(@Nullable SSLContext ssl) {
		return new RemoteSandboxOptions(this.worker, this.token, this.mappings, ssl, this.patience, this.directory);
	}

	/**
	 * Returns the same options with another patience.
	 * @param patience time for which a start is repeated, above zero
	 * @return the options
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public RemoteSandboxOptions withPatience(Duration patience) {
		return new RemoteSandboxOptions(this.worker, this.token, this.mappings, this.ssl, patience, this.directory);
	}

	@Override
	public String toString() {
		// not the token
		return "RemoteSandboxOptions[worker=" + this.worker + ", mappings=" + this.mappings + "]";
	}

}

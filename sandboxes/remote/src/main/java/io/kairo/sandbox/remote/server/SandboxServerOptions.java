package io.kairo.sandbox.remote.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

import javax.net.ssl.SSLContext;

import org.jspecify.annotations.Nullable;

/**
 * The options of a {@link SandboxServer}. Immutable.
 *
 * @param address the address to listen on; port 0 for any free port
 * @param clients the clients, at least one
 * @param ssl the certificate of the server and the authorities of clients; null for plain
 * HTTP, allowed for a loopback address only
 * @param lease time until the commands of a silent client are ended, from 1 second to 1
 * hour
 * @param maxCommands the maximum number of commands that run or whose output is kept,
 * above zero
 * @param retention time to keep the output of an ended command for a client that does not
 * close it, above zero
 * @param copies the options for copies of directories that clients do not share with this
 * machine; null to take none
 */
public record SandboxServerOptions(InetSocketAddress address, List<RemoteClient> clients, @Nullable SSLContext ssl,
		Duration lease, int maxCommands, Duration retention, @Nullable CopyOptions copies) {

	private static final Duration LONGEST_LEASE = Duration.ofHours(1);

	/**
	 * Creates the options.
	 * @throws IllegalArgumentException if one of them is out of its range
	 */
	public SandboxServerOptions {
		Objects.requireNonNull(address, "address");
		clients = List.copyOf(clients);
		if (clients.isEmpty()) {
			throw new IllegalArgumentException("The server has no clients: name at least one");
		}
		requireDistinct(clients);
		if (lease.compareTo(Duration.ofSeconds(1)) < 0 || lease.compareTo(LONGEST_LEASE) > 0) {
			throw new IllegalArgumentException("The lease is " + lease + ": it must be from 1 second to 1 hour");
		}
		if (maxCommands <= 0) {
			throw new IllegalArgumentException("maxCommands is " + maxCommands + ": it must be above zero");
		}
		if (retention.isNegative() || retention.isZero()) {
			throw new IllegalArgumentException("The retention is " + retention + ": it must be above zero");
		}
		if (ssl == null && !isLoopback(address)) {
			throw new IllegalArgumentException("The server would send tokens and output over " + address.getHostString()
					+ " without encryption: give it certificates, or let it listen on a loopback address");
		}
	}

	private static void requireDistinct(List<RemoteClient> clients) {
		Set<String> names = new HashSet<>();
		Set<String> tokens = new HashSet<>();
		for (RemoteClient client : clients) {
			if (!names.add(client.name()) || (client.token() != null && !tokens.add(client.token()))) {
				throw new IllegalArgumentException("The client '" + client.name()
						+ "' has the name or the token of another one: give each its own");
			}
		}
	}

	/**
	 * Returns options with the defaults: any free port of the loopback address, plain
	 * HTTP, a lease of 30 seconds, 1,000 commands, output that is kept for 10 minutes,
	 * and no copies.
	 * @param clients the clients, at least one
	 * @return the options
	 * @throws IllegalArgumentException if there is no client
	 */
	public static SandboxServerOptions of(RemoteClient... clients) {
		return new SandboxServerOptions(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), List.of(clients),
				null, Duration.ofSeconds(30), 1000, Duration.ofMinutes(10), null);
	}

	private static boolean isLoopback(InetSocketAddress address) {
		return address.getAddress() != null && address.getAddress().isLoopbackAddress();
	}

	/**
	 * Returns the same options with another address.
	 * @param address the address to listen on
	 * @return the options
	 * @throws IllegalArgumentException if it is not a loopback address and there are no
	 * certificates
	 */
	public SandboxServerOptions withAddress(InetSocketAddress address) {
		return new SandboxServerOptions(address, this.clients, this.ssl, this.lease, this.maxCommands, this.retention,
				this.copies);
	}

	/**
	 * Returns the same options with another lease.
	 * @param lease time until the commands of a silent client are ended
	 * @return the options
	 * @throws IllegalArgumentException if it is out of its range
	 */
	public SandboxServerOptions withLease(Duration lease) {
		return new SandboxServerOptions(this.address, this.clients, this.ssl, lease, this.maxCommands, this.retention,
				this.copies);
	}

	/**
	 * Returns the same options with another number of commands.
	 * @param maxCommands the most commands, above zero
	 * @return the options
	 * @throws IllegalArgumentException if it is out of its range
	 */
	public SandboxServerOptions withMaxCommands(int maxCommands) {
		return new SandboxServerOptions(this.address, this.clients, this.ssl, this.lease, maxCommands, this.retention,
				this.copies);
	}

	/**
	 * Returns the same options with other ones for copies of directories.
	 * @param copies the options for copies; null to take none
	 * @return the options
	 */
	public SandboxServerOptions withCopies(@Nullable CopyOptions copies) {
		return new SandboxServerOptions(this.address, this.clients, this.ssl, this.lease, this.maxCommands,
				this.retention, copies);
	}

	/**
	 * Returns the same options with other certificates.
	 * @param ssl the certificate of the server and the authorities of clients, or null
	 * @return the options
	 * @throws IllegalArgumentException if there are none, and the address is not a
	 * loopback address
	 */
	public SandboxServerOptions withSsl(@Nullable SSLContext ssl) {
		return new SandboxServerOptions(this.address, this.clients, ssl, this.lease, this.maxCommands, this.retention,
				this.copies);
	}

	/**
	 * Returns the same options with another retention.
	 * @param retention time to keep output, above zero
	 * @return the options
	 * @throws IllegalArgumentException if it is not above zero
	 */
	public SandboxServerOptions withRetention(Duration retention) {
		return new SandboxServerOptions(this.address, this.clients, this.ssl, this.lease, this.maxCommands, retention,
				this.copies);
	}

}

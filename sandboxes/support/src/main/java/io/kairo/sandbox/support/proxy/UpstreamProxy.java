package io.kairo.sandbox.support.proxy;

import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Set;

import io.kairo.api.sandbox.Secret;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP proxy of the network that an {@link AllowListProxy} uses to reach hosts. It
 * resolves their names: the addresses of a host are neither known nor checked here, only
 * its name is. Excluded hosts, and hosts of the loopback interface, are connected to
 * directly, with all checks. Commands see neither the proxy nor its credentials.
 * Immutable.
 */
public final class UpstreamProxy {

	private final Target address;

	private final @Nullable String credentials;

	private final Set<String> secrets;

	private final NoProxyList direct;

	private UpstreamProxy(Target address, @Nullable String credentials, Set<String> secrets, NoProxyList direct) {
		this.address = address;
		this.credentials = credentials;
		this.secrets = secrets;
		this.direct = direct;
	}

	/**
	 * Creates a proxy without credentials.
	 * @param address a name or an IPv4 address, and a port, such as
	 * {@code proxy.corp.example:3128}
	 * @return the proxy
	 * @throws IllegalArgumentException if the address is invalid
	 */
	public static UpstreamProxy of(String address) {
		Target target = Target.of(address, null);
		if (target == null) {
			throw new IllegalArgumentException("'" + address
					+ "' is no proxy: write a name or an IPv4 address with a port, such as proxy.corp.example:3128");
		}
		return new UpstreamProxy(target, null, Set.of(), NoProxyList.of(List.of()));
	}

	/**
	 * Returns this proxy with credentials for the scheme Basic (RFC 7617).
	 * @param username the user name, printable ASCII characters without a colon
	 * @param password the password
	 * @return a new proxy
	 * @throws IllegalArgumentException if the user name is invalid
	 */
	public UpstreamProxy withCredentials(String username, Secret password) {
		String credential = InjectedHeader.basic("password", username).credential(password);
		return new UpstreamProxy(this.address, "Basic " + credential, Set.of(credential, password.reveal()),
				this.direct);
	}

	/**
	 * Returns this proxy with other hosts that are connected to directly.
	 * @param hosts names, each for itself and the names below it; names after a dot, for
	 * the names below; IPv4 addresses and ranges of them, for hosts that are addressed
	 * so; each with an optional port after a colon
	 * @return a new proxy
	 * @throws IllegalArgumentException if a host is invalid
	 */
	public UpstreamProxy withNoProxy(List<String> hosts) {
		return new UpstreamProxy(this.address, this.credentials, this.secrets, NoProxyList.of(hosts));
	}

	Target address() {
		return this.address;
	}

	/**
	 * Returns whether a target is connected to directly.
	 */
	boolean bypasses(Target target) {
		return this.direct.contains(target);
	}

	/**
	 * Returns the header field with the credentials and its line terminator, empty
	 * without credentials.
	 */
	String authorization() {
		return (this.credentials != null) ? "Proxy-Authorization: " + this.credentials + "\r\n" : "";
	}

	/**
	 * Returns the response to a forwarded request, without the credentials, since the
	 * proxy or the host may repeat them.
	 */
	ReadableByteChannel guarded(ReadableByteChannel response) {
		return ResponseGuard.ofProxy(response, this.secrets);
	}

	/**
	 * Returns the address, without credentials.
	 */
	@Override
	public String toString() {
		return this.address.toString();
	}

}

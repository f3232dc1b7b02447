package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.tenant.TenantContext;

/**
 * An HTTP proxy on the host for commands without a network. It opens tunnels
 * ({@code CONNECT}) and forwards plain HTTP requests, only to the hosts of an allow-list.
 * Every request is checked: the host is parsed by one parser and resolved here, all its
 * addresses are checked, and only checked addresses are connected to. Addresses that are
 * not public are refused for every name. A refusal is answered with its reason. Redirects
 * are left to the client, whose next request is checked as well. Immutable.
 *
 * @since 0.1.0
 */
public final class AllowListProxy {

	private final Destinations destinations;

	private final ProxyLimits limits;

	/**
	 * Creates a proxy. It holds no resources before the first listener.
	 * @param allowed the hosts that commands may reach
	 */
	public AllowListProxy(AllowList allowed) {
		this(allowed, (host) -> List.of(InetAddress.getAllByName(host)), new PublicAddresses(), ProxyLimits.DEFAULT);
	}

	AllowListProxy(AllowList allowed, NameResolver resolver, AddressPolicy policy, ProxyLimits limits) {
		this.destinations = new Destinations(allowed, resolver, policy);
		this.limits = limits;
	}

	/**
	 * Listens for the connections of one command.
	 * @param socket the path of the Unix domain socket to create, in a directory that
	 * other users cannot enter; at most about 100 bytes long
	 * @param tenant the tenant of the command, for the log
	 * @return the listener, to be closed with the command
	 * @throws IOException if the socket or the thread cannot be created
	 */
	public ProxyListener listen(Path socket, TenantContext tenant) throws IOException {
		return new ProxyListener(socket, this.destinations, this.limits, tenant);
	}

}

package io.kairo.sandbox.support.proxy;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.List;

import io.kairo.api.tenant.TenantContext;

/**
 * A proxy of HTTP on this host, for commands that have no network: it opens tunnels
 * ({@code CONNECT}) and hands on requests of plain HTTP, to the hosts of a list and to no
 * other. Every request is judged: the host is read by one parser, looked up here, all its
 * addresses are checked and the checked ones are connected to. Addresses that are not
 * public are refused, whatever name leads there. What is refused is answered with the
 * reason; there is no other way out. Redirects are not followed but are a matter of the
 * client, whose next request is judged as well. Immutable.
 *
 * @since 0.1.0
 */
public final class AllowListProxy {

	private final Destinations destinations;

	private final ProxyLimits limits;

	/**
	 * Creates a proxy. It takes no resources before somebody listens.
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
	 * @param socket where to make a Unix domain socket, in a directory that nobody else
	 * can enter; at most some 100 bytes long
	 * @param tenant whose command it is, for the log
	 * @return what listens, to be closed with the command
	 * @throws IOException if the socket cannot be made, or there is no thread left
	 */
	public ProxyListener listen(Path socket, TenantContext tenant) throws IOException {
		return new ProxyListener(socket, this.destinations, this.limits, tenant);
	}

}

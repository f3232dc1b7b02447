package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks the targets of requests. A name is resolved once, all its addresses are checked,
 * and the proxy connects to exactly these: a second lookup could return others (DNS
 * rebinding). Safe for use by several threads.
 */
final class Destinations {

	private static final int MOST_ADDRESSES = 4;

	private final AllowList allowed;

	private final NameResolver resolver;

	private final AddressPolicy policy;

	Destinations(AllowList allowed, NameResolver resolver, AddressPolicy policy) {
		this.allowed = allowed;
		this.resolver = resolver;
		this.policy = policy;
	}

	/**
	 * Returns the route to a target: through the upstream proxy, if any. That proxy then
	 * resolves names, so that their addresses are not known here.
	 * @throws ProxyRefusedException if there is none
	 */
	Route route(Target target) throws ProxyRefusedException {
		UpstreamProxy upstream = this.allowed.upstream();
		if (upstream == null || upstream.bypasses(target)) {
			return new Route(target, of(target), null);
		}
		if (!this.allowed.permits(target)) {
			throw new ProxyRefusedException(Refusal.NOT_LISTED, target);
		}
		if (target.host().isAddress()) {
			// checked as without an upstream proxy
			of(target);
		}
		List<InetSocketAddress> addresses = new ArrayList<>();
		try {
			for (InetAddress address : this.resolver.resolve(upstream.address().host().text())) {
				addresses.add(new InetSocketAddress(address, upstream.address().port()));
			}
		}
		catch (UnknownHostException ex) {
			throw new ProxyRefusedException(Refusal.UPSTREAM_UNAVAILABLE, target, upstream + " is an unknown host");
		}
		return new Route(target, addresses, upstream);
	}

	/**
	 * Returns the addresses to connect to. They are not resolved again.
	 * @throws ProxyRefusedException if there are none, or one of them is forbidden
	 */
	List<InetSocketAddress> of(Target target) throws ProxyRefusedException {
		if (!this.allowed.permits(target)) {
			throw new ProxyRefusedException(Refusal.NOT_LISTED, target);
		}
		List<InetSocketAddress> addresses = new ArrayList<>();
		try {
			for (InetAddress address : this.resolver.resolve(target.host().text())) {
				if (!this.policy.permits(address) && !this.allowed.opens(target, address)) {
					throw new ProxyRefusedException(Refusal.FORBIDDEN_ADDRESS, target, address.getHostAddress()
							+ " is not public, and no internal host of the list opens it for this host and port");
				}
				addresses.add(new InetSocketAddress(InetAddress.getByAddress(address.getAddress()), target.port()));
			}
		}
		catch (UnknownHostException ex) {
			throw new ProxyRefusedException(Refusal.UNKNOWN_HOST, target);
		}
		if (addresses.isEmpty()) {
			throw new ProxyRefusedException(Refusal.UNKNOWN_HOST, target);
		}
		return addresses.subList(0, Math.min(MOST_ADDRESSES, addresses.size()));
	}

}

package io.kairo.sandbox.support.proxy;

import java.util.List;

/**
 * The hosts that commands may reach. Immutable.
 *
 * @since 0.1.0
 */
public final class AllowList {

	private final List<AllowedHost> hosts;

	private AllowList(List<AllowedHost> hosts) {
		this.hosts = hosts;
	}

	/**
	 * Reads a list.
	 * @param hosts each a name such as {@code example.org}, {@code *.example.org} for all
	 * names below that one but not itself, or an IPv4 address; with a port after a colon,
	 * or else for 443 and 80
	 * @return the list
	 * @throws IllegalArgumentException if there is none, or one is no host
	 */
	public static AllowList of(List<String> hosts) {
		if (hosts.isEmpty()) {
			throw new IllegalArgumentException("The list of allowed hosts is empty: name at least one host");
		}
		return new AllowList(hosts.stream().map(AllowedHost::parse).toList());
	}

	boolean permits(Target target) {
		return this.hosts.stream().anyMatch((host) -> host.permits(target));
	}

	@Override
	public String toString() {
		return this.hosts.toString();
	}

}

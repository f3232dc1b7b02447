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
	 * Parses a list.
	 * @param hosts names such as {@code example.org}, patterns such as
	 * {@code *.example.org} for all names below a name but not the name itself, or IPv4
	 * addresses, each with an optional port after a colon; the default ports are 443 and
	 * 80
	 * @return the list
	 * @throws IllegalArgumentException if the list is empty, or an entry is invalid
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

package io.kairo.sandbox.support.proxy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * The hosts that commands may reach. Immutable.
 */
public final class AllowList {

	private final List<AllowedHost> hosts;

	private final InternalHosts internal;

	private final RequestRules rules;

	private final @Nullable UpstreamProxy upstream;

	private AllowList(List<AllowedHost> hosts, InternalHosts internal, RequestRules rules,
			@Nullable UpstreamProxy upstream) {
		this.hosts = hosts;
		this.internal = internal;
		this.rules = rules;
		this.upstream = upstream;
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
		return of(hosts, List.of());
	}

	/**
	 * Parses a list with internal hosts. All other hosts are refused if one of their
	 * addresses is not public.
	 * @param hosts the hosts, see {@link #of(List)}
	 * @param internal further hosts whose addresses need not be public, each with a port:
	 * names such as {@code git.corp.example:443}, to open private addresses of this name,
	 * or of the loopback interface for {@code localhost}; addresses such as
	 * {@code 10.1.2.3:8080} or {@code [fd12::3]:443}; and ranges of private addresses
	 * such as {@code 10.1.0.0/16:443}, to open these addresses also to hosts that the
	 * list names without a wildcard. The address of a metadata service or of a link is
	 * opened by a single address only
	 * @return the list
	 * @throws IllegalArgumentException if both are empty, or an entry is invalid
	 */
	public static AllowList of(List<String> hosts, List<String> internal) {
		if (hosts.isEmpty() && internal.isEmpty()) {
			throw new IllegalArgumentException("The list of allowed hosts is empty: name at least one host");
		}
		return new AllowList(hosts.stream().map(AllowedHost::parse).toList(), InternalHosts.of(internal),
				RequestRules.NONE, null);
	}

	/**
	 * Returns this list with rules for the requests to its hosts.
	 * @param rules the rules, replacing the rules of this list
	 * @return a new list
	 */
	public AllowList withRules(RequestRules rules) {
		return new AllowList(this.hosts, this.internal, rules, this.upstream);
	}

	/**
	 * Returns this list with another proxy for reaching the hosts.
	 * @param upstream the proxy, null to connect to the hosts directly, as by default
	 * @return a new list
	 */
	public AllowList withUpstream(@Nullable UpstreamProxy upstream) {
		return new AllowList(this.hosts, this.internal, this.rules, upstream);
	}

	/**
	 * Returns the hosts without an effect: {@code localhost}, and addresses that are not
	 * public, unless they are internal hosts of the list.
	 * @return the entries
	 */
	public List<String> unreachable() {
		return this.hosts.stream()
			.filter((entry) -> isInternal(entry.host())
					&& entry.targets().noneMatch((target) -> this.internal.permits(target)))
			.map(AllowedHost::toString)
			.toList();
	}

	/**
	 * Returns whether the list contains the host of a rule.
	 * @param rule the rule
	 * @return whether the list contains its host and port
	 */
	public boolean permits(RequestRule rule) {
		return permits(rule.target());
	}

	/**
	 * Returns the rules for the requests to the hosts.
	 */
	RequestRules rules() {
		return this.rules;
	}

	/**
	 * Returns the proxy for reaching hosts, null for none.
	 */
	@Nullable UpstreamProxy upstream() {
		return this.upstream;
	}

	boolean permits(Target target) {
		return this.hosts.stream().anyMatch((host) -> host.permits(target)) || this.internal.permits(target);
	}

	/**
	 * Returns whether the list opens an address that is not public.
	 * @param target a target that the list permits
	 * @param address one of its addresses
	 */
	boolean opens(Target target, InetAddress address) {
		boolean named = target.host().isAddress() || this.internal.permits(target)
				|| this.hosts.stream().anyMatch((host) -> !host.below() && host.permits(target));
		return this.internal.open(target, address, named);
	}

	/**
	 * Returns whether the list names a host, on any port.
	 */
	boolean names(String host) {
		HostName name = new HostName(host);
		return this.internal.contain(name) || this.hosts.stream().anyMatch((entry) -> entry.host().equals(name));
	}

	/**
	 * Returns the internal hosts that are metadata services, or on a link.
	 */
	List<String> metadata() {
		return this.internal.metadata();
	}

	private static boolean isInternal(HostName host) {
		try {
			return host.isLocal()
					|| (host.isAddress() && !new PublicAddresses().permits(InetAddress.getByName(host.text())));
		}
		catch (UnknownHostException ex) {
			throw new IllegalStateException("'" + host + "' is an address, but was looked up", ex);
		}
	}

	@Override
	public String toString() {
		return this.internal.isEmpty() ? this.hosts.toString() : this.hosts + " and " + this.internal;
	}

	/**
	 * An entry of an {@link AllowList}.
	 *
	 * @param host the host, or the parent of the hosts
	 * @param below whether the entry stands for the hosts below the name, and not for the
	 * name itself
	 * @param port the port, or null for the ports of HTTP and HTTPS
	 */
	private record AllowedHost(HostName host, boolean below, @Nullable Integer port) {

		private static final String WILDCARD = "*.";

		/**
		 * Parses an entry.
		 * @throws IllegalArgumentException if it is invalid
		 */
		static AllowedHost parse(String text) {
			boolean below = text.startsWith(WILDCARD);
			String authority = below ? text.substring(WILDCARD.length()) : text;
			Target target = Target.of(authority, Target.HTTPS_PORT);
			if (target == null) {
				throw invalid(text, "is no host");
			}
			if (below && (target.host().isAddress() || !target.host().hasDot())) {
				throw invalid(text, "covers too many hosts");
			}
			return new AllowedHost(target.host(), below, authority.contains(":") ? (Integer) target.port() : null);
		}

		boolean permits(Target target) {
			boolean rightHost = this.below ? target.host().isBelow(this.host) : target.host().equals(this.host);
			boolean rightPort = (this.port != null) ? target.port() == this.port
					: target.port() == Target.HTTPS_PORT || target.port() == Target.HTTP_PORT;
			return rightHost && rightPort;
		}

		Stream<Target> targets() {
			return ((this.port != null) ? Stream.of(this.port) : Stream.of(Target.HTTPS_PORT, Target.HTTP_PORT))
				.map((each) -> new Target(this.host, each));
		}

		private static IllegalArgumentException invalid(String text, String problem) {
			return new IllegalArgumentException("'" + text + "' " + problem
					+ ": write a name such as example.org or example.org:8443, '*.example.org' for the names below it,"
					+ " or an IPv4 address; names with other letters in their xn-- form");
		}

		@Override
		public String toString() {
			return (this.below ? WILDCARD : "") + this.host + ((this.port != null) ? ":" + this.port : "");
		}

	}

}

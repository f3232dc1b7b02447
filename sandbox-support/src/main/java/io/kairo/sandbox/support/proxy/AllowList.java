package io.kairo.sandbox.support.proxy;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * The hosts that commands may reach. Immutable.
 *
 * @since 0.1.0
 */
public final class AllowList {

	private final List<AllowedHost> hosts;

	private final RequestRules rules;

	private AllowList(List<AllowedHost> hosts, RequestRules rules) {
		this.hosts = hosts;
		this.rules = rules;
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
		return new AllowList(hosts.stream().map(AllowedHost::parse).toList(), RequestRules.NONE);
	}

	/**
	 * Returns this list with rules for the requests to its hosts.
	 * @param rules the rules, which replace those of this list
	 * @return a new list
	 */
	public AllowList withRules(RequestRules rules) {
		return new AllowList(this.hosts, rules);
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

	boolean permits(Target target) {
		return this.hosts.stream().anyMatch((host) -> host.permits(target));
	}

	@Override
	public String toString() {
		return this.hosts.toString();
	}

	/**
	 * An entry of an {@link AllowList}.
	 *
	 * @param host the host, or the parent of the hosts
	 * @param below whether the entry stands for the hosts below the name, and not for the
	 * name itself
	 * @param port the port, or null for those of HTTP and HTTPS
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

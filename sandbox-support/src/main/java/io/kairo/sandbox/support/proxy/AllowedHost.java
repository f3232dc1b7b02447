package io.kairo.sandbox.support.proxy;

import org.jspecify.annotations.Nullable;

/**
 * An entry of an {@link AllowList}.
 *
 * @param host the host, or the parent of the hosts
 * @param below whether the entry stands for the hosts below the name, and not for the
 * name itself
 * @param port the port, or null for those of HTTP and HTTPS
 */
record AllowedHost(HostName host, boolean below, @Nullable Integer port) {

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

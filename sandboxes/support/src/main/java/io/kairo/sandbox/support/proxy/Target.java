package io.kairo.sandbox.support.proxy;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The target of a request.
 *
 * @param host the host
 * @param port the port
 */
record Target(HostName host, int port) {

	static final int HTTP_PORT = 80;

	static final int HTTPS_PORT = 443;

	static final int MOST_PORT = 65535;

	private static final Pattern AUTHORITY = Pattern.compile("([^:]*)(?::([1-9]\\d{0,4}))?");

	/**
	 * Parses the authority of a request: a host and an optional port after a colon.
	 * @param usualPort the default port
	 * @return the target, or null if it is invalid
	 */
	static @Nullable Target of(String authority, @Nullable Integer usualPort) {
		Matcher parts = AUTHORITY.matcher(authority);
		if (!parts.matches()) {
			return null;
		}
		HostName host = HostName.of(parts.group(1));
		Integer port = (parts.group(2) != null) ? Integer.valueOf(parts.group(2)) : usualPort;
		return (host != null && port != null && port <= MOST_PORT) ? new Target(host, port) : null;
	}

	@Override
	public String toString() {
		return this.host + ":" + this.port;
	}

}

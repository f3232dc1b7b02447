package io.kairo.mcp;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * The web pages that can use the MCP server. A page of another site reaches a server on
 * this machine, or on the local network, through the browser of its reader: directly, or
 * with a name of its own that resolves to the server's address. Safe for use by several
 * threads.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports">MCP,
 * Transports, Security Warning</a>
 */
final class McpOrigins {

	private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

	private final boolean all;

	private final Set<String> origins = new HashSet<>();

	private final Set<String> hosts = new HashSet<>(LOOPBACK);

	/**
	 * Creates the rule.
	 * @param allowed origins, or * for all pages
	 */
	McpOrigins(List<String> allowed) {
		this.all = allowed.contains("*");
		for (String origin : allowed) {
			URI parsed = parse(origin);
			if (parsed != null) {
				this.origins.add(parsed.toString());
				this.hosts.add(parsed.getHost());
			}
		}
	}

	/**
	 * Parses an origin.
	 * @return the origin in lower case, null if the text is no origin
	 * @see <a href="https://www.rfc-editor.org/rfc/rfc6454">RFC 6454</a>
	 */
	static @Nullable URI parse(String origin) {
		try {
			URI parsed = URI.create(origin.toLowerCase(Locale.ROOT));
			boolean plain = parsed.getHost() != null && parsed.getScheme() != null && parsed.getRawPath().isEmpty()
					&& parsed.getRawQuery() == null && parsed.getRawFragment() == null
					&& parsed.getRawUserInfo() == null;
			return plain ? parsed : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Checks the sender of a request.
	 * @param origin the header {@code Origin}, null if there is none
	 * @param host the host in the header {@code Host}, null if there is none
	 * @param port the port in the header {@code Host}, or the default of its scheme
	 * @param localAddress the local address of the request
	 * @return the reason to refuse the request, null if it is allowed
	 */
	@Nullable String refusal(@Nullable String origin, @Nullable String host, int port, String localAddress) {
		if (this.all) {
			return null;
		}
		boolean loopback = isLoopback(localAddress);
		if (loopback && (host == null || !this.hosts.contains(host.toLowerCase(Locale.ROOT)))) {
			return "The host '" + host + "' is not allowed on the loopback interface: use localhost, or add the origin "
					+ "of this host to kairo.mcp.allowed-origins";
		}
		if (origin == null || (loopback && isOwn(origin, port))) {
			return null;
		}
		URI parsed = parse(origin);
		return (parsed != null && this.origins.contains(parsed.toString())) ? null
				: "The origin '" + origin + "' is not allowed: add it to kairo.mcp.allowed-origins";
	}

	/**
	 * Returns whether a page comes from this server. Pages of other servers on this
	 * machine are refused.
	 */
	private static boolean isOwn(String origin, int port) {
		URI page = parse(origin);
		if (page == null || !LOOPBACK.contains(page.getHost())) {
			return false;
		}
		int own = (page.getPort() != -1) ? page.getPort() : page.getScheme().equals("https") ? 443 : 80;
		return own == port;
	}

	private static boolean isLoopback(String address) {
		try {
			// a literal address is not looked up
			return InetAddress.getByName(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

}

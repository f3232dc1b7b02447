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
		URI parsed = url(origin.toLowerCase(Locale.ROOT));
		return (parsed != null && parsed.getHost() != null && parsed.getScheme() != null
				&& parsed.getRawPath().isEmpty() && parsed.getRawQuery() == null && parsed.getRawFragment() == null
				&& parsed.getRawUserInfo() == null) ? parsed : null;
	}

	private static @Nullable URI url(String url) {
		try {
			return URI.create(url);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Checks the sender of a request.
	 * @throws McpRefusedException if the request comes from a web page that is not
	 * allowed, or may do so
	 */
	void require(McpHttpExchange exchange) {
		List<String> hosts = exchange.headers("Host");
		if (hosts.size() > 1) {
			throw new McpRefusedException(400,
					"The request names several hosts, " + String.join(" and ", hosts) + ": send one of them only");
		}
		if (this.all) {
			return;
		}
		URI url = hosts.isEmpty() ? null : url("http://" + hosts.get(0));
		String host = (url != null) ? url.getHost() : null;
		boolean loopback = isLoopback(exchange.localAddress());
		if (loopback && (host == null || !this.hosts.contains(host.toLowerCase(Locale.ROOT)))) {
			throw new McpRefusedException(403,
					"The host '" + host + "' is not allowed on the loopback interface: use localhost, or add the "
							+ "origin of this host to kairo.mcp.allowed-origins");
		}
		String origin = exchange.header("Origin");
		int port = (url != null && url.getPort() > 0) ? url.getPort() : exchange.isSecure() ? 443 : 80;
		if (origin == null || (loopback && isOwn(origin, port))) {
			return;
		}
		URI parsed = parse(origin);
		if (parsed == null || !this.origins.contains(parsed.toString())) {
			throw new McpRefusedException(403,
					"The origin '" + origin + "' is not allowed: add it to kairo.mcp.allowed-origins");
		}
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

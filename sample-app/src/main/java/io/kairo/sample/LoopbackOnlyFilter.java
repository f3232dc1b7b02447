package io.kairo.sample;

import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Rejects requests that a web page from another origin makes through a browser on this
 * machine. Listening on the loopback interface does not prevent them, and clients of the
 * tools can run commands.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/basic/transports">MCP,
 * Transports, Security Warning</a>
 */
@Component
class LoopbackOnlyFilter extends OncePerRequestFilter {

	private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

	@Override
	protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
			throws ServletException, IOException {
		if (!isLoopback(request.getServerName()) || !isOwn(request.getHeader("Origin"), request)) {
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "This server is for clients on this machine only");
			return;
		}
		chain.doFilter(request, response);
	}

	/**
	 * Returns whether a page comes from this server. Pages of other servers on this
	 * machine are rejected too.
	 */
	private static boolean isOwn(@Nullable String origin, HttpServletRequest request) {
		if (origin == null) {
			return true;
		}
		try {
			URI page = URI.create(origin);
			return page.getHost() != null && isLoopback(page.getHost()) && page.getPort() == request.getServerPort();
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	private static boolean isLoopback(String host) {
		return LOOPBACK.contains(host.toLowerCase(Locale.ROOT));
	}

}

package io.kairo.sample;

import java.io.IOException;
import java.net.URI;
import java.util.Set;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Refuses what a web page from elsewhere has a browser on this machine send here.
 * Listening on loopback does not keep that out, and whoever reaches the tools may run
 * commands.
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
		if (!LOOPBACK.contains(request.getServerName()) || !isLoopback(request.getHeader("Origin"))) {
			response.sendError(HttpServletResponse.SC_FORBIDDEN, "This server is for clients on this machine only");
			return;
		}
		chain.doFilter(request, response);
	}

	private static boolean isLoopback(@Nullable String origin) {
		if (origin == null) {
			return true;
		}
		try {
			String host = URI.create(origin).getHost();
			return host != null && LOOPBACK.contains(host);
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

}

package io.kairo.autoconfigure.mcp;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for an MCP server with WebFlux.
 */
final class UnguardedMcpServerFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedMcpServerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedMcpServerException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Set spring.ai.mcp.server.protocol to streamable or stateless, whose transports of Spring AI 2 are "
						+ "guarded, use spring-ai-starter-mcp-server-webmvc and spring-boot-starter-webmvc in place of "
						+ "the starters for WebFlux, or set kairo.mcp.expose to an empty value to offer no tools over MCP.",
				cause);
	}

}

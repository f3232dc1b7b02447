package io.kairo.autoconfigure.springai;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for an MCP server of Spring AI without Kairo's.
 */
final class UnguardedToolsFailureAnalyzer extends AbstractFailureAnalyzer<UnguardedToolsException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnguardedToolsException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Add io.kairo:kairo-mcp, whose server takes the place of Spring AI's and offers the tools of the "
						+ "application as well, or set spring.ai.mcp.server.tool-callback-converter=false to offer no "
						+ "tool callbacks, or kairo.spring-ai.enabled=false.",
				cause);
	}

}

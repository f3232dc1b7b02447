package io.kairo.mcp;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for an MCP server that would offer something by
 * accident.
 */
final class UnsafeServerFailureAnalyzer extends AbstractFailureAnalyzer<UnsafeServerException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnsafeServerException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", cause.action(), cause);
	}

}

package io.kairo.mcp;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for two tools of an MCP server with the same name.
 */
final class ToolNameCollisionFailureAnalyzer extends AbstractFailureAnalyzer<ToolNameCollisionException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ToolNameCollisionException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", """
				Rename the tool of the application, or the tools of Kairo:

				    kairo.tools.name-prefix: kairo_

				To offer only the tool of the application, leave '%1$s' out of kairo.mcp.expose, \
				or add it to kairo.tools.exclude.""".formatted(cause.tool()), cause);
	}

}

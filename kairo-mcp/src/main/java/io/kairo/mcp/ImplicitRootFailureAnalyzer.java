package io.kairo.mcp;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for an MCP server without a configured root.
 */
final class ImplicitRootFailureAnalyzer extends AbstractFailureAnalyzer<ImplicitRootException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, ImplicitRootException cause) {
		return new FailureAnalysis(cause.getMessage() + ".", """
				Name the directory that clients may use, for example

				    kairo.workspace.roots: /srv/agents

				or /srv/agents/{tenant} for a directory per tenant, or . if it is to be the working directory. \
				For new, empty directories, set kairo.workspace.provider to 'ephemeral'. \
				To offer no tools over MCP, leave kairo.mcp.expose empty.""", cause);
	}

}

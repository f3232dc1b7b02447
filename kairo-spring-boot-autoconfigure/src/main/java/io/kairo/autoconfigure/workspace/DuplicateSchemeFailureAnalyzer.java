package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.routing.DuplicateSchemeException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * {@link AbstractFailureAnalyzer} for two workspace providers with the same scheme.
 */
final class DuplicateSchemeFailureAnalyzer extends AbstractFailureAnalyzer<DuplicateSchemeException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DuplicateSchemeException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()) + ".",
				"Give one of the WorkspaceProviderRegistration beans another scheme. To replace the bean of "
						+ "Kairo, give your bean its name, kairo" + StringUtils.capitalize(cause.scheme())
						+ "Workspaces.",
				cause);
	}

}

package io.kairo.autoconfigure.workspace;

import io.kairo.workspace.routing.DuplicateSchemeException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * Advises what to do about two workspace providers for one scheme.
 */
final class DuplicateSchemeFailureAnalyzer extends AbstractFailureAnalyzer<DuplicateSchemeException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, DuplicateSchemeException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()) + ".",
				"Give one of the WorkspaceProviderRegistration beans another scheme. If it is meant to replace one of "
						+ "Kairo's, give the bean its name, as kairo" + StringUtils.capitalize(cause.scheme())
						+ "Workspaces.",
				cause);
	}

}

package io.kairo.autoconfigure.sandbox;

import io.kairo.api.sandbox.SandboxException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.util.StringUtils;

/**
 * Analyzes the failure of a sandbox that cannot be used, with its remedy as the action.
 */
final class SandboxFailureAnalyzer extends AbstractFailureAnalyzer<SandboxException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, SandboxException cause) {
		return new FailureAnalysis(
				"The sandbox for commands cannot be used (" + cause.code().code() + "): " + cause.getMessage(),
				StringUtils.capitalize(cause.remedy()) + ".", cause);
	}

}

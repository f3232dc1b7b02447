package io.kairo.autoconfigure.environment;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for properties that do not exist or have no effect.
 */
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnknownPropertyException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnknownPropertyException cause) {
		return new FailureAnalysis(String.valueOf(cause.getMessage()),
				"Correct the names, remove the properties, or add the dependency.", cause);
	}

}

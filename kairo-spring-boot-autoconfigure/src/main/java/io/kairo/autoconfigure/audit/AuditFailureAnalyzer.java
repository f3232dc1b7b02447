package io.kairo.autoconfigure.audit;

import io.kairo.governance.audit.AuditException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for a sink of the audit that cannot be opened.
 */
final class AuditFailureAnalyzer extends AbstractFailureAnalyzer<AuditException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, AuditException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Correct the cause, or choose another sink with kairo.audit.sinks or another directory with "
						+ "kairo.audit.file.directory. Without kairo.audit.sinks there is no audit.",
				cause);
	}

}

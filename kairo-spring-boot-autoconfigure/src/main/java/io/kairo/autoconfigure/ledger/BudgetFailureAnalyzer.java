package io.kairo.autoconfigure.ledger;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * {@link AbstractFailureAnalyzer} for a budget of CPU time that cannot be enforced.
 */
final class BudgetFailureAnalyzer extends AbstractFailureAnalyzer<UnmeasuredBudgetException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, UnmeasuredBudgetException cause) {
		return new FailureAnalysis(cause.getMessage() + ".",
				"Select a sandbox that measures CPU time with kairo.sandbox.type, or remove the property: "
						+ "executions-per-day and output-per-day are enforced with every sandbox.",
				cause);
	}

}

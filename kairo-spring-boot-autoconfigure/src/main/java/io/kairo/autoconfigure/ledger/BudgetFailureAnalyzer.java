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
				"With bubblewrap, landlock or process, set kairo.sandbox.limits.memory, kairo.sandbox.limits.cpus or "
						+ "kairo.sandbox.limits.pids: the control group of version 2 that enforces such a limit measures "
						+ "CPU time. Otherwise select docker or microvm, which always measure it, with "
						+ "kairo.sandbox.type, or remove the property: executions-per-day and output-per-day are "
						+ "enforced with every sandbox.",
				cause);
	}

}

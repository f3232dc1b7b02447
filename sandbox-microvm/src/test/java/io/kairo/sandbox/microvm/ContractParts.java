package io.kairo.sandbox.microvm;

import java.util.Set;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out parts of the contract, since each of its tests starts a machine, which takes
 * seconds where it is emulated. The system property {@code kairo.microvm=all} includes
 * them.
 */
final class ContractParts implements ExecutionCondition {

	private static final Set<String> LEFT_OUT = Set.of("Background", "Endings", "ReadOnly", "SideBySide", "Subscribers",
			"Surroundings", "Trees");

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String part = context.getTestClass().map(Class::getSimpleName).orElse("");
		return (LEFT_OUT.contains(part) && !"all".equals(System.getProperty("kairo.microvm")))
				? ConditionEvaluationResult.disabled(part + " requires -Dkairo.microvm=all")
				: ConditionEvaluationResult.enabled(part + " is run");
	}

}

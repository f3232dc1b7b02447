package io.kairo.sandbox.microvm;

import java.util.Set;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out parts of the contract whose tests start machines for other workspaces, which
 * takes seconds where they are emulated, or wait for many commands. The system property
 * {@code kairo.microvm=all} includes them.
 */
final class ContractParts implements ExecutionCondition {

	private static final Set<String> LEFT_OUT = Set.of("ReadOnly", "SideBySide", "Trees");

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String part = context.getTestClass().map(Class::getSimpleName).orElse("");
		return (LEFT_OUT.contains(part) && !"all".equals(System.getProperty("kairo.microvm")))
				? ConditionEvaluationResult.disabled(part + " requires -Dkairo.microvm=all")
				: ConditionEvaluationResult.enabled(part + " is run");
	}

}

package io.kairo.sandbox.docker;

import java.util.Set;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out those parts of the contract that examine the JVM or the launcher rather than
 * the container: how output reaches subscribers, which requests are refused, how commands
 * end, and what many commands at once leave in the JVM.
 * {@link DockerSandboxContractTests} runs them with the same code. With copies of
 * workspaces, commands take too long to end hundreds of them. The system property
 * {@code kairo.docker.contract=all} includes them.
 */
final class ContractParts implements ExecutionCondition {

	private static final Set<String> LEFT_OUT = Set.of("Output", "Subscribers", "Refusals", "SideBySide", "Trees",
			"Endings", "Background");

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String part = context.getTestClass().map(Class::getSimpleName).orElse("");
		boolean copies = context.getParent()
			.flatMap(ExtensionContext::getTestClass)
			.filter(DockerCopyContractTests.class::equals)
			.isPresent();
		boolean leftOut = LEFT_OUT.contains(part) || (copies && part.equals("Exits"));
		return (leftOut && !"all".equals(System.getProperty("kairo.docker.contract")))
				? ConditionEvaluationResult.disabled(part + " requires -Dkairo.docker.contract=all")
				: ConditionEvaluationResult.enabled(part + " is run");
	}

}

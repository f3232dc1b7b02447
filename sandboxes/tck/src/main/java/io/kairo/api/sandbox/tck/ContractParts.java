package io.kairo.api.sandbox.tck;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Leaves out parts of the contract, for a variant of a backend whose commands take long.
 * Register it in a static field of the subclass of {@link ExecutionSandboxContract}.
 */
public final class ContractParts implements ExecutionCondition {

	private static final Set<String> LAUNCHER = Set.of("Output", "Subscribers", "Refusals", "SideBySide", "Trees",
			"Endings", "Background");

	private final String property;

	private final Set<String> leftOut;

	private ContractParts(String property, Set<String> leftOut) {
		this.property = property;
		this.leftOut = leftOut;
	}

	/**
	 * Leaves out the parts that examine the JVM or the launcher, since another variant
	 * runs them with the same code: the delivery of output to subscribers, the refused
	 * requests, the ends of commands, and the remains of many concurrent commands in the
	 * JVM.
	 * @param property a system property that includes these parts with the value
	 * {@code all}
	 * @param parts names of further nested classes to leave out
	 * @return the condition
	 */
	public static ContractParts withoutLauncher(String property, String... parts) {
		Set<String> leftOut = new HashSet<>(LAUNCHER);
		leftOut.addAll(Set.of(parts));
		return new ContractParts(property, leftOut);
	}

	/**
	 * Leaves out parts.
	 * @param property a system property that includes these parts with the value
	 * {@code all}
	 * @param parts names of nested classes
	 * @return the condition
	 */
	public static ContractParts without(String property, String... parts) {
		return new ContractParts(property, Set.of(parts));
	}

	@Override
	public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
		String part = context.getTestClass().map(Class::getSimpleName).orElse("");
		return (this.leftOut.contains(part) && !"all".equals(System.getProperty(this.property)))
				? ConditionEvaluationResult.disabled(part + " requires -D" + this.property + "=all")
				: ConditionEvaluationResult.enabled(part + " is run");
	}

}

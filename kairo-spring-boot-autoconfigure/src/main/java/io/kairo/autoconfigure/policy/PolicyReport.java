package io.kairo.autoconfigure.policy;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import io.kairo.autoconfigure.policy.PolicyProperties.Approvals;
import io.kairo.autoconfigure.tools.ToolNames;
import io.kairo.governance.policy.PolicyAction;
import io.kairo.governance.policy.PolicyRule;
import io.kairo.governance.policy.ToolPolicy;
import io.kairo.tools.ToolDefinition;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/**
 * Logs the policy, one line for each rule, and fails the start if it names a tool that
 * does not exist: a rule about it would have no effect.
 *
 * @param policy the policy
 * @param tools returns the names of all tools, including tools that are not offered;
 * empty if they are not known
 * @param offered returns the definitions of the tools that are offered
 * @param properties the properties
 * @param handled whether there is a handler of approvals
 */
record PolicyReport(ToolPolicy policy, Supplier<Set<String>> tools, Supplier<List<ToolDefinition>> offered,
		PolicyProperties properties, boolean handled) implements SmartInitializingSingleton {

	private static final Log logger = LogFactory.getLog("io.kairo");

	@Override
	public void afterSingletonsInstantiated() {
		List<String> lines = this.policy.describe();
		for (int i = 0; i < lines.size(); i++) {
			logger.info("Kairo: policy rule %d of %d: %s".formatted(i + 1, lines.size(), lines.get(i)));
		}
		Set<String> known = this.tools.get();
		if (!known.isEmpty()) {
			requireKnownTools(known);
		}
		reportUndeclaredPaths();
		Approvals approvals = this.properties.approvals();
		if (asks() && !this.handled && approvals.approverRoles().isEmpty() && approvals.operatorRoles().isEmpty()) {
			logger.warn("Kairo: calls that the policy asks about fail after " + approvals.timeout()
					+ ", unless the application answers with Approvals: define an ApprovalHandler, or set "
					+ "kairo.policy.approvals.approver-roles or operator-roles for the endpoint kairoapprovals");
		}
	}

	private void requireKnownTools(Set<String> known) {
		this.policy.unmatchedTools(known).forEach((rule, patterns) -> {
			String name = patterns.get(0);
			throw this.properties.propertyOf(rule)
				.<RuntimeException>map((property) -> new InvalidConfigurationPropertyValueException(property + ".tools",
						name, ToolNames.unknown(name, known)))
				.orElseGet(
						() -> new IllegalStateException("The rule '" + rule + "' of the bean of type ToolPolicy names "
								+ "the tool '" + name + "': " + ToolNames.unknown(name, known)));
		});
		this.properties.pathArguments().keySet().stream().filter((tool) -> !known.contains(tool)).forEach((tool) -> {
			throw new InvalidConfigurationPropertyValueException("kairo.policy.path-arguments", tool,
					ToolNames.unknown(tool, known) + "; a name with other characters than letters, digits and - needs "
							+ "brackets, as in kairo.policy.path-arguments[my_tool]");
		});
	}

	private void reportUndeclaredPaths() {
		boolean needed = this.policy.rules()
			.stream()
			.anyMatch((rule) -> rule.action() != PolicyAction.ALLOW && !rule.paths().isEmpty()
					&& (rule.tools().isEmpty() || rule.tools().contains("*")));
		List<String> undeclared = this.offered.get()
			.stream()
			.filter((tool) -> needed && tool.identity() == null && tool.annotations().paths() == null)
			.map(ToolDefinition::name)
			.filter((tool) -> !this.properties.pathArguments().containsKey(tool))
			.toList();
		if (!undeclared.isEmpty()) {
			logger.warn("Kairo: rules on paths match every call with arguments of the tools " + undeclared
					+ ", which do not declare their paths: use ToolAnnotations.withTargets, or set "
					+ "kairo.policy.path-arguments");
		}
	}

	private boolean asks() {
		return asks(this.policy.otherwise())
				|| this.policy.rules().stream().map(PolicyRule::action).anyMatch(PolicyReport::asks);
	}

	private static boolean asks(PolicyAction action) {
		return action == PolicyAction.ASK || action == PolicyAction.REVIEW;
	}

}
